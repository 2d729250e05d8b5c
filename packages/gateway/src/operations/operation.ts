import type { Operation as Output } from "@manifold-gateway/core/capability";
import type { Json } from "@manifold-gateway/core/codec";
import type {
  OperationCall as LibraryCall,
  OperationPlan as LibraryPlan,
  OperationCodec,
  OperationPlanOptions,
  OperationRequest,
  OperationSource,
  OperationTarget,
  OperationWires,
} from "@manifold-gateway/core/operations";
import type { Rejection } from "@manifold-gateway/core/plan";
import type { Payload } from "@manifold-gateway/providers";
import type { Counts } from "@manifold-gateway/store";
import type { Answered, Plan, PlannedCall } from "../generation/stages.ts";
import type { JsonBody } from "../http/json-body.ts";
import type { Opening, Used } from "../ports/billing.ts";
import type { Model } from "../ports/catalog.ts";
import type { Answer, Context } from "../ports/context.ts";
import type { ObservedAttempt } from "../ports/observer.ts";
import type { ServiceName } from "../ports/services.ts";
import type { Candidate } from "../routing/candidate.ts";
import type { RequestTrace } from "../routing/request-trace.ts";

/** A caller's request. */
export interface OperationAsk<Codec = OperationCodec<OperationRequest, unknown>> {
  /** The caller's wire. */
  codec: Codec;
  body: JsonBody;
  /** The model's name as the caller sent it. */
  model: string;
}

/** A call to a provider, ready to send. */
export interface OperationCall extends Pick<Plan, "body" | "endpoint"> {
  /** The body as an explanation shows it. */
  shown: Json;
}

/** A body that is not the JSON text of its call. */
export interface SpecialBody {
  body: Payload;
  headers?: Readonly<Record<string, string>>;
  /** The body as an explanation shows it. Default: the value of the call. */
  shown?: Json;
}

/** A request for one entry: as many calls as its provider needs. */
export interface OperationPlan<
  Request extends OperationRequest = OperationRequest,
  Codec = OperationCodec<Request, unknown>,
> extends Plan {
  /** The wire on which the entry is called. */
  upstream: Codec;
  /** The canonical request. */
  request: Request;
  /** The request as the operation planned it, with what else it found. */
  planned: LibraryPlan<Request>;
  shown: Json;
  /** The likely usage: charged if the answer reports none. */
  estimate: Used;
  /** The calls after the first. */
  more: readonly OperationCall[];
}

/** The entry for which a request is planned. */
export interface PlanTarget<Request extends OperationRequest, Codec> extends OperationTarget<Request> {
  codec: Codec & OperationTarget<Request>["codec"];
  candidate: Candidate;
}

/** A request whose files have been fetched and measured. */
export interface ReceivedOperation<Ask = OperationAsk> {
  readonly ask: Ask;
  readonly trace: RequestTrace;
}
/** The same with the plan for its first entry. */
export type PlannedOperation<Ask = OperationAsk, Of extends Plan = OperationPlan> = ReceivedOperation<Ask> &
  PlannedCall<Of>;
/** The same with an entry's answer: to the first call, if there are several. */
export type AnsweredOperation<Ask = OperationAsk, Of extends Plan = OperationPlan> = PlannedOperation<
  Ask,
  Of
> &
  Answered<Of>;

/** The services that answering uses. */
export type ReplyService =
  | "guards"
  | "holds"
  | "limits"
  | "log"
  | "media"
  | "now"
  | "protocols"
  | "routing"
  | "steady"
  | "transport";

/**
 * An operation that is answered while its caller waits, on each wire that callers and providers have for it. It holds
 * what is particular to the operation; `serveOperation` has the stages.
 */
export interface Operation<
  Request extends OperationRequest = OperationRequest,
  Codec extends OperationCodec<Request, unknown> = OperationCodec<Request, unknown>,
  Ask extends OperationAsk<Codec> = OperationAsk<Codec>,
  Uses extends ServiceName = ServiceName,
> {
  /** The wires of its providers. */
  wires: OperationWires<Codec>;
  /** Its name in capabilities and among outputs. */
  makes: Output;
  /** Its modality in records. */
  modality: Opening["modality"];
  /** Its name in metrics and traces. */
  observed: ObservedAttempt["operation"];
  /** Milliseconds to the head of an answer, where the provider has no such timeout. Default: the transport's. */
  firstByte?: number;
  /** Whether a model is called on a wire that its provider has. Default: always. */
  can?(codec: Codec, model: Model): boolean;
  /** Fetches and measures what planning needs. Default: nothing. */
  gather?(context: Context<Uses>, ask: Ask): Promise<Ask>;
  /** Plans the request for one entry. `source` is the request without what is meant for this service. */
  plan(
    ask: Ask,
    source: OperationSource<Request> & { codec: Codec },
    target: PlanTarget<Request, Codec>,
    options: Pick<OperationPlanOptions<Request>, "others">,
  ): LibraryPlan<Request> | Rejection;
  /** The likely usage of a planned request: the basis of the hold. */
  estimate(plan: LibraryPlan<Request>, target: PlanTarget<Request, Codec>): Used;
  /** The most that a request can use, held for where nothing may be spent without it. Default: by the body's size. */
  most?(request: Request): Counts;
  /** The body of a call, where that is not the JSON text of its value. */
  send?(
    ask: Ask,
    planned: LibraryPlan<Request>,
    target: PlanTarget<Request, Codec>,
    call: LibraryCall,
  ): SpecialBody;
  /** Whether the caller gets a stream, for which it needs a free slot. Default: it does not. */
  streams?(ask: Ask): boolean;
  /** What would be done before the first call, in words for an explanation. Default: nothing. */
  pending?(ask: Ask, request: Request): string[];
  /** Reads the answer, settles the generation, and answers the caller. */
  reply(
    context: Context<ReplyService>,
    answered: AnsweredOperation<Ask, OperationPlan<Request, Codec>>,
  ): Promise<Answer | undefined>;
}
