import type { AnyCodec } from "@manifold-gateway/core";
import type { Tags } from "@manifold-gateway/store";
import type { Exchange } from "../http/exchange.ts";
import type { Caller } from "./access.ts";
import type { KeySlot } from "./bounds.ts";
import type { GuardDecision } from "./guards.ts";
import type { Watch } from "./observer.ts";
import type { ServiceName, Services } from "./services.ts";

/**
 * A request as its handler receives it: complete, and never changed. Operations may add objects with methods to it, but
 * not functions: V8 keeps a function that is a member of it until the next full collection, and with the function its
 * whole request. `Uses` names the services that a function uses: it receives no others.
 */
export interface RequestContext<Uses extends ServiceName = never> {
  /** The request's id, from `x-request-id`. Every log line about the request has it as `request`. */
  readonly id: string;
  readonly exchange: Exchange;
  /** The catalog among them is limited to the models that the caller may use. */
  readonly services: Pick<Services, Uses>;
  /** Absent on open routes and on operators' routes. */
  readonly caller: Caller | undefined;
  /** The operator's name, on operators' routes. */
  readonly operator: string | undefined;
  /** The request's slot within the limits of its key. Absent on routes without such limits. */
  readonly slot: KeySlot | undefined;
  /** Path parameters, decoded. */
  readonly params: Record<string, string>;
  /** The surface that received the request. Its protocol is the format of its errors. */
  readonly surface: { readonly name: string; readonly codec?: AnyCodec | undefined };
  /** The time at which the request arrived, in milliseconds since the epoch. */
  readonly started: number;
  /** The same by the steady clock, from which durations are measured: `started` is wrong once the clock is set. */
  readonly began: number;
  /** The caller's options outside of the body. */
  readonly options: RequestOptions;
  /** The id for what the request makes, if it was stored with an idempotency key. */
  readonly reservedId: string | undefined;
  readonly progress: Progress;
  /** The observer, if there is one. */
  readonly watch: Watch | undefined;
}

/** The context on a route that admits callers. */
export interface Context<Uses extends ServiceName = never> extends RequestContext<Uses> {
  readonly caller: Caller;
}

/** The context on a route that admits operators. */
export interface OperatorContext<Uses extends ServiceName = never> extends RequestContext<Uses> {
  readonly operator: string;
}

/** How far a request has come, for its end, its log line and a refusal. The running operation writes it. */
export interface Progress {
  /** The generation's id; absent before the hold. */
  generation: string | undefined;
  /** Summarizes the generation. */
  trace: Traced | undefined;
  /** What guards decided about the request and its answer. Absent: none was asked. */
  guards?: readonly GuardDecision[];
  /** The body, released when nothing reads it any longer. */
  body: Releasable | undefined;
  /** The input of the handler, which lets go of the body in it once nothing reads it any longer. */
  readonly input: { body: unknown; json: unknown };
}

/** A whole answer. Handlers that stream write to the sink and return nothing. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is text or bytes. */
  body?: unknown;
}

/** `strict`: losses are refused. `warn`: they are reported. `allow`: they are only recorded. */
export type LossPolicy = "strict" | "warn" | "allow";

/** Options of a caller outside of the body. */
export interface RequestOptions {
  losses: LossPolicy;
  /** Explain the request instead of sending it. */
  explain: boolean;
  /** Labels for the record and for sums. */
  labels: Labels;
}

/** Facts that a caller states about a request for its records. Providers do not see them. */
export interface Labels {
  tags?: Tags;
  /** The end user's id, in the field that the request's protocol has for it. */
  user?: string;
}

/** Holds memory that can be freed before the garbage collector does. */
export interface Releasable {
  release(): void;
}

/** Summarizes the outcome of a request. */
export interface Traced {
  /** The id of the generation, once it exists. */
  readonly generation: string | undefined;
  summary(): RequestSummary;
}

/** The outcome of a request, as far as it went, for its one log line. */
export interface RequestSummary {
  /** The model's name as the caller sent it. */
  model: string;
  /** The model that the caller asked for, where another one answered in its place. */
  fallbackFrom?: string;
  /** The neutral id of the last entry that was called, or would have been. */
  entry?: string | undefined;
  /** The id of that entry's provider. */
  provider?: string | undefined;
  /** The number of calls to providers. */
  attempts?: number;
  /** The calls that failed, each by its provider and its status or fault: `openai 503`, `local connect`. */
  failed?: string[] | undefined;
  /** Why the last call got no answer. */
  fault?: string | undefined;
  /** Micro-USD. */
  cost?: number | undefined;
  /** Tokens. */
  input?: number | undefined;
  output?: number | undefined;
}
