import { ApiError } from "./refusal.ts";

// Browsers reject what fails for the connection with a `TypeError`, and code at fault throws one too: which of them it
// is can be seen only where the network alone is waited for.

/** What the network is waited for. Where the connection fails, throws an `ApiError` of status 0. */
const connected = <Of>(work: Promise<Of>, fault = "The connection was lost."): Promise<Of> =>
  work.catch((error: unknown) => {
    throw error instanceof TypeError ? new ApiError(0, fault) : error;
  });

/** Sends a request. Throws an `ApiError` of status 0 if no answer begins. */
export const reach = (path: string, init?: RequestInit): Promise<Response> =>
  connected(fetch(path, init), "The service cannot be reached. Check the connection and try again.");

/** An answer that is read once. Where the connection fails meanwhile, throws an `ApiError` of status 0. */
export interface Incoming extends Pick<Response, "headers" | "json" | "text" | "blob"> {
  /** Its bytes as they come. */
  pieces(): AsyncGenerator<Uint8Array>;
}

export const toIncoming = (response: Response): Incoming => ({
  headers: response.headers,
  json: () => connected(response.json()),
  text: () => connected(response.text()),
  blob: () => connected(response.blob()),
  async *pieces() {
    // Not all browsers have loops over streams.
    const reader = response.body?.getReader();
    while (reader) {
      const { value, done } = await connected(reader.read());
      if (done) return;
      yield value;
    }
  },
});
