import type {
  OperationCall,
  OperationCodec,
  OperationPlan,
  OperationRequest,
  OperationSource,
  OperationTarget,
  OperationWires,
} from "@manifold-gateway/core/operations";
import type { Rejection } from "@manifold-gateway/core/plan";
import type { CallPlan } from "../calls/call-candidates.ts";
import type { TokenPrice } from "../catalog/cost.ts";
import type { UsageEvent } from "../options.ts";
import type { Incoming } from "../request/incoming.ts";

/** The wires of an operation, and its plans for them. */
export interface PlannedOperation<
  Request extends OperationRequest,
  Codec extends OperationTarget<Request>["codec"],
> {
  /** What it makes, for errors: `embeddings`. */
  noun: string;
  /** The wires of its providers. */
  wires: OperationWires<Codec>;
  /** Plans the request for one target. */
  plan(
    source: OperationSource<Request> & { codec: Codec },
    target: OperationTarget<Request> & { codec: Codec },
  ): OperationPlan<Request> | Rejection;
  /** The body of a call and its headers, where that is not the JSON text of its value. */
  send?(
    planned: OperationPlan<Request>,
    target: OperationTarget<Request> & { codec: Codec },
    call: OperationCall,
  ): Pick<CallPlan, "body" | "headers">;
}

/**
 * An operation that calls of one provider answer with whole bodies, on each wire that callers and providers have for it.
 * It holds what is particular to the operation; `serveOperation` does the rest.
 */
export interface ClientOperation<
  Request extends OperationRequest,
  Reply,
  Codec extends OperationCodec<Request, Reply>,
> extends PlannedOperation<Request, Codec> {
  /** The caller's wire. */
  callerCodec(incoming: Incoming): Codec;
  /** The replies of split calls as one. Default: there is one call. */
  join?(replies: readonly Reply[]): Reply;
  /** What keeps a reply from answering its request, in words for the caller; `undefined` if it does. */
  shortfall(request: Request, reply: Reply): string | undefined;
  /** What was used, at a target of this price; `undefined` if that is not known. */
  usage(reply: Reply, request: Request, price: TokenPrice | undefined): UsageEvent["usage"] | undefined;
}
