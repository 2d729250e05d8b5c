import type { Issue } from "../capability/ask.ts";
import type { Candidate } from "../capability/suggest-model.ts";
import type { AnyCaller, AnyProvider } from "../codec/codec.ts";
import type { Machine } from "../codec/machine.ts";
import type { Event, TextRequest } from "../ir/index.ts";
import type { Loss } from "../ir/loss.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { DecodedRequest } from "./caller-request.ts";
import type { CapabilityCheck } from "./capability-check.ts";
import type { LossRules, RequestLosses } from "./loss-rules.ts";
import type { Rejection } from "./rejection.ts";

/** A request ready to be sent to one target. */
export interface RequestPlan<Sent = string> {
  /** The body to send. */
  body: Sent | string;
  /** The value of the body; absent if the caller's is forwarded. */
  wire?: JsonObject;
  /** The half of a codec that read the request, and writes the reply. */
  caller: AnyCaller;
  /** The half of a codec by which the request is sent and the reply read. */
  upstream: AnyProvider;
  /** Whether the reply must be decoded and encoded: for another protocol, or because of `restore`. */
  translated: boolean;
  /** What the target is not sent, or in another form. Paths are pointers into the caller's body. */
  losses: readonly Loss[];
  /** Likely mistakes in the request. */
  notes: readonly Issue[];
  /** Restores the caller's names in the events of the reply; absent if the body is forwarded. */
  restore?(): Machine<Event, Event>;
  /** The schema of the answer, which is read as the JSON that it holds; absent if it is passed on as it is. */
  answerSchema?: Json;
  /** The decoded request; absent if the body is forwarded. */
  request?: TextRequest;
}

/** Settings of `planRequest`. */
export interface PlanOptions {
  /** The check of requests, `textCheck`; required for targets with capabilities. */
  capabilityCheck?: CapabilityCheck | undefined;
  /** The models that a rejection may suggest instead, listed when that is needed. Default: none. */
  others?: (() => Iterable<Candidate>) | undefined;
  /** The caller's rules about losses. Default: all are allowed. */
  rules?: LossRules | undefined;
  /** Losses that were found before, to report with those of the target. */
  lost?: readonly Loss[] | undefined;
  /** A further check of a request before it is written in another form. */
  check?(decoded: DecodedRequest): Rejection | undefined;
}

/** A written body, before the caller's rules about losses decide. */
export interface PlannedBody<Plan> {
  plan: Plan;
  lost: RequestLosses;
  restores: boolean;
}

/** A plan for a body that is forwarded. */
export type ForwardPlan<Sent> = Pick<RequestPlan<Sent>, "upstream" | "body" | "notes">;

/** A plan for a body that was written from a decoded request. */
export type TranslatedPlan = ForwardPlan<string> &
  Required<Pick<RequestPlan, "wire" | "restore" | "request">> &
  Pick<RequestPlan, "answerSchema">;
