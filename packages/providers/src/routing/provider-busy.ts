/** The provider's concurrency limit was reached, and no slot became free in time. */
export class ProviderBusy extends Error {
  override readonly name = "ProviderBusy";

  constructor() {
    super("The provider's concurrency limit is reached.");
  }
}
