import type { CapabilityCheck } from "@manifold-gateway/core/plan";
import type { Operation } from "@manifold-gateway/core/wire";
import type { Codecs } from "./protocols/codecs.ts";
import type { PresetSource } from "./providers/provider-table.ts";
import type { Pricing, Report } from "./report.ts";
import type { Incoming, ReadIncoming } from "./request/incoming.ts";
import type { Services } from "./services.ts";
import type { Adapt } from "./text/adapt.ts";

/** Serves the requests of one operation. */
export type Serve = (incoming: Incoming, services: Services, report: Report) => Promise<Response>;

/** The parts that a client is made of besides its options. */
export interface Parts {
  codecs: Codecs;
  presets: PresetSource;
  /** The check of requests by the capabilities of targets. */
  check(): Promise<CapabilityCheck | undefined>;
  /** What costs are computed by. */
  pricing(): Promise<Pricing>;
  /** Adapts requests for text that their provider refuses because of their form. Absent: the refusal is the answer. */
  adapt?: (() => Promise<Adapt>) | undefined;
  /** The operations that the client serves. */
  operations: Partial<Record<Operation, () => Promise<Serve>>>;
  /** What reads the requests of an operation. Default: they are JSON. */
  readers?: Partial<Record<Operation, () => Promise<ReadIncoming>>>;
}
