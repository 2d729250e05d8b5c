import { quote } from "../http/refusal.ts";
import { EntryRejected } from "../routing/queue.ts";
import { factorOf, type Terms } from "../routing/terms.ts";
import type { Metered } from "./billable-items.ts";

interface SellingEntry {
  terms: Terms;
  provider: { id: string; routes?: boolean; unpriced?: "refuse" | "forward" };
  /** The model's name as the caller wrote it. */
  model: string;
}

/**
 * Lists the requested items that have no price at an entry, each as a sentence that names the member and the setting.
 */
function unpricedItems(metered: Metered, { terms, provider, model }: SellingEntry): string[] {
  const of = `the model ${quote(model)}`;
  const anyway = `"unpriced": "forward" of its provider`;
  const found = metered.modes
    .filter(({ mode, value }) => factorOf(terms, mode, value) === undefined)
    .map(
      ({ path, mode, value }) =>
        `${path}: ${quote(value)} is billed at another price, and ${of} has none for it; leave it out, or the operator sets factors.${mode}.${value} of its entry, or ${anyway}.`,
    );
  for (const { path, kind, billing } of metered.tools) {
    const units = billing === "unpriced" ? [] : billing;
    if (units.some((unit) => terms.price[unit] !== undefined)) continue;
    const setting = units[0] === undefined ? anyway : `price.${units[0]} of its entry, or ${anyway}`;
    found.push(
      `${path}: ${quote(kind)} is billed beside tokens, and ${of} has no price for it; leave it out, or the operator sets ${setting}.`,
    );
  }
  for (const path of metered.detached)
    found.push(
      `${path}: what ${of} generates in the background cannot be charged; leave it out, or the operator sets ${anyway}.`,
    );
  if (provider.routes)
    for (const path of metered.choosing)
      found.push(
        `${path}: lets the provider choose or bill something other than ${of}, which has the price; leave it out, or the operator sets ${anyway}.`,
      );
  return found;
}

/** Refuses items that the provider bills and that have no price here, unless the operator has them forwarded. */
export function refuseUnpriced(metered: Metered, seller: SellingEntry): void {
  // A router chooses what it spends, so unpriced items are refused there by default.
  const policy = seller.provider.unpriced ?? (seller.provider.routes ? "refuse" : "forward");
  if (policy === "forward") return;
  const errors = unpricedItems(metered, seller);
  if (errors.length === 0) return;
  const [param = "body"] = (errors[0] as string).split(":");
  throw new EntryRejected("unpriced_member", "unpriced_member", errors, { param });
}
