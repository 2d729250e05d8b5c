/** A call that was not made, since the provider's state in this process does not allow it. Another provider may be called. */
export abstract class ProviderUnavailable extends Error {
  /** The word for records and logs. */
  abstract readonly fault: "busy" | "circuit_open";
}

/** The provider's concurrency limit was reached, and no slot became free in time. */
export class ProviderBusy extends ProviderUnavailable {
  override readonly name = "ProviderBusy";
  override readonly fault = "busy";

  constructor() {
    super("The provider's concurrency limit is reached.");
  }
}

/** The entry's circuit opened after the route was chosen. */
export class CircuitOpen extends ProviderUnavailable {
  override readonly name = "CircuitOpen";
  override readonly fault = "circuit_open";

  constructor() {
    super("The provider is failing.");
  }
}
