import type { Credential, Payload, Provider, reframe, UpstreamResponse } from "@manifold-gateway/providers";
import type { Opening } from "../ports/billing.ts";
import type { ObservedAttempt } from "../ports/observer.ts";
import type { Candidate, Open } from "../routing/candidate.ts";
import type { EntryQueue } from "../routing/queue.ts";
import type { Sent } from "../routing/record.ts";
import type { RequestTrace } from "../routing/request-trace.ts";
import type { RoutePlan } from "../routing/route.ts";
import type { Generation } from "./generation.ts";
import type { ProviderCalls } from "./provider-calls.ts";

/** The endpoint that an entry's provider has for an operation. */
export interface Endpoint {
  /** The provider, with the key and the headers for this endpoint. */
  provider: Provider;
  origin: string;
  path: string;
  operation: ObservedAttempt["operation"];
  stream: boolean;
  /** Headers that replace the usual ones: of a body that is not JSON, or of another kind of answer. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds to the head of an answer, where the provider has no such timeout. Default: the transport's. */
  firstByte?: number | undefined;
  /** The framing of the platform's streams, if that is not server-sent events. */
  framing?: Parameters<typeof reframe>[1] | undefined;
}

/** A request as it is sent to one entry. */
export interface Plan extends Sent {
  resolution: Candidate;
  endpoint: Endpoint;
  body: Payload;
}

/** A request whose first plan is made. */
export interface Planned<Of, Entry extends Open = Candidate> {
  readonly queue: EntryQueue<Of, Entry>;
  readonly opening: Omit<Opening, "id">;
}

/** A planned request that is answered while the caller waits. */
export interface PlannedCall<Of extends Plan> extends Planned<Of> {
  readonly trace: RequestTrace;
  readonly route: RoutePlan;
}

/** A planned request whose credit is held. */
export interface Held<Of extends Plan> extends PlannedCall<Of> {
  readonly generation: Generation;
  readonly calls: ProviderCalls<Of>;
}

/** A request that an entry answered, with whatever status. */
export interface Answered<Of extends Plan> extends Held<Of> {
  /** The plan for the entry that answered. */
  readonly plan: Of;
  /** The credential of the call, if the provider has several. */
  readonly credential: Credential | undefined;
  readonly response: UpstreamResponse;
}
