import { show } from "../../capability/message-text.ts";
import type { Rejection } from "../../plan/rejection.ts";
import type { Origins } from "../../translate/origins.ts";
import type { OperationIssue } from "../codec.ts";
import {
  type OperationPlan,
  type OperationPlanOptions,
  type OperationSource,
  type OperationTarget,
  planOperation,
} from "../plan.ts";
import type { RerankCodec } from "./codec.ts";
import type { RerankRequest } from "./ir.ts";

/**
 * Plans a request to order documents for one target, or rejects it with every rule that it breaks. It is never divided
 * into several calls: the scores of some models depend on all documents of a call.
 */
export const planRerank = (
  source: OperationSource<RerankRequest> & { codec: RerankCodec },
  target: OperationTarget<RerankRequest> & { codec: RerankCodec },
  options: OperationPlanOptions<RerankRequest> = {},
): OperationPlan<RerankRequest> | Rejection =>
  planOperation(
    { operation: "rerank", check: (request, origins) => check(request, target.codec, origins) },
    source,
    target,
    options,
  );

function check(
  { documents, model }: RerankRequest,
  { most = Number.POSITIVE_INFINITY }: RerankCodec,
  origins: Origins,
): OperationIssue[] {
  if (documents.length <= most) return [];
  const path = origins.get(documents) ?? "/documents";
  const message = `documents: at most ${most} documents are accepted, not ${documents.length} (model ${show(model)})`;
  return [{ path, message }];
}
