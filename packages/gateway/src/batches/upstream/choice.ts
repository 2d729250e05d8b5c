import type { Batch } from "@manifold-gateway/store";
import { BATCH_RUNNERS } from "@manifold-gateway/store/restrictions";
import type { Exchange } from "../../http/exchange.ts";
import { quote, Refusal } from "../../http/refusal.ts";
import type { BatchTerms } from "../../ports/batches.ts";

/** The header of a batch's request that says who runs its lines: `provider`, where its own batches can, or `service`. */
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

/** The lines of a batch are sent one by one, because its request says so. */
export const isByService = ({ terms }: Pick<Batch, "terms">): boolean =>
  (terms as unknown as BatchTerms).headers[BY_HEADER] === "service";
