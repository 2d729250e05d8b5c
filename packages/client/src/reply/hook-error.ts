/** A hook threw, and `onError` has the cause: the caller gets only the message. */
export class HookError extends Error {
  override readonly name = "HookError";

  constructor() {
    super("The service failed while it handled the request.");
  }
}
