import type { GuardedFetch, Transport } from "@manifold-gateway/providers";

interface Pace {
  initial: number;
  max: number;
  factor: number;
}

/** What takes the place of the machine's clock and network in the gateway of the demonstration. */
export interface VirtualParts {
  /** The address that the gateway names as its own. */
  origin: string;
  /** Milliseconds since the epoch. */
  now(): number;
  transport: Transport;
  /** Downloads the accounts' files. */
  fetch: GuardedFetch;
  /** How often jobs are polled: the pauses of the scheduler and between polls, in milliseconds. */
  jobs: { rest: number; poll: Record<"image" | "video" | "speech" | "asset", Pace> };
}

/** A gateway that has no port. */
export interface DemoGateway {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** What the program that generates the month provides: a gateway as it would serve it afterwards. */
export interface DemoHost {
  /** The operator's key. */
  adminKey: string;
  /** Opens a gateway over the demonstration's store and simulator. */
  openGateway(parts: VirtualParts): Promise<DemoGateway>;
  /** Creates an account with a balance in US dollars, as a later start looks for it. */
  createAccount(account: { name: string; balance: number; at: number }): Promise<void>;
}
