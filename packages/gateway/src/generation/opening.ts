import type { Price } from "@manifold-gateway/store";
import { amountOf } from "../billing/amounts.ts";
import type { JsonBody } from "../http/json-body.ts";
import { storableText } from "../http/storable-body.ts";
import type { Opening } from "../ports/billing.ts";
import type { Context } from "../ports/context.ts";

/** The most that a request is likely to use at one entry, and the entry's price. */
export interface EntryHold {
  usage: Opening["usage"];
  price: Price;
}

/** A generation before its first call. `holds` are those at the entries that may be called. */
export function openingOf(
  { caller }: Pick<Context, "caller">,
  body: JsonBody,
  model: string,
  holds: readonly EntryHold[],
  modality: Opening["modality"] = "text",
): Omit<Opening, "id"> {
  const [first] = holds as [EntryHold];
  // The hold covers the most expensive entry, since a fallback may serve the request.
  let amount = 0;
  for (const hold of holds) amount = Math.max(amount, amountOf(hold));
  return {
    caller,
    modality,
    model,
    request: storableText(body),
    usage: first.usage,
    price: first.price,
    amount,
  };
}
