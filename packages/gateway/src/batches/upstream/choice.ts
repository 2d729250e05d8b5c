import type { Batch } from "@manifold-gateway/store";
import { BATCH_RUNNERS } from "@manifold-gateway/store/restrictions";
import type { Exchange } from "../../http/exchange.ts";
import { quote, Refusal } from "../../http/refusal.ts";
import type { BatchTerms } from "../../ports/batches.ts";

/**
 * The request header that chooses who runs a batch's lines: `provider` (in upstream batches, where possible) or
 * `service`.
 */
export const BY_HEADER = "x-batch-by";

/** Throws a 400 for another value. */
export function checkChoice(exchange: Pick<Exchange, "header">): void {
  const value = exchange.header(BY_HEADER);
  if (value === undefined || (BATCH_RUNNERS as readonly string[]).includes(value)) return;
  const allowed = BATCH_RUNNERS.map(quote).join(" or ");
  throw new Refusal("invalid_request", `${BY_HEADER}: ${quote(value)} is not ${allowed}.`, {
    param: BY_HEADER,
  });
}

/** Checks whether the request of a batch demands that its lines are sent one by one. */
export const isByService = ({ terms }: Pick<Batch, "terms">): boolean =>
  (terms as unknown as BatchTerms).headers[BY_HEADER] === "service";
