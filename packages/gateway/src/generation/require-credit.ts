import type { JsonBody } from "../http/json-body.ts";
import type { Refusal } from "../http/refusal.ts";
import type { Model } from "../ports/catalog.ts";
import type { Context } from "../ports/context.ts";
import type { Services } from "../ports/services.ts";

type Billed = Pick<Context, "caller"> & { services: Pick<Services, "billing"> };

/** The refusal for a caller whose credit does not cover any priced request; `undefined` if there is credit. */
export async function refusalWithoutCredit({ services, caller }: Billed): Promise<Refusal | undefined> {
  const nothing = { input: 0, output: 0 };
  // A placeholder price, which only shows that the request is not free.
  const opening = { caller, modality: "text", model: "", request: "", price: { input: 1 } } as const;
  return (await services.billing.headroom?.({ ...opening, usage: nothing }))?.refusal;
}

/** The size of a body, in bytes, from which translating it takes long enough to check the credit first. */
const LARGE = 256 * 1024;

/** Refuses a caller without credit before any work is done for the request. If the model may be free, the hold decides. */
export async function refuseWithoutCredit(context: Billed, model: Model | undefined): Promise<void> {
  const prices = (model?.entries ?? []).flatMap(({ isActive, price }) => (isActive && price ? [price] : []));
  const isFree = prices.some((price) => Object.values(price).every((rate) => rate === 0));
  if (prices.length === 0 || isFree) return;
  const refusal = await refusalWithoutCredit(context);
  if (refusal) throw refusal;
}

/** The same for a large request only, whose translation takes long. Nothing waits for a smaller one. */
export const refuseUnpayable = (
  context: Context<"billing" | "catalog">,
  { body, model }: { body: JsonBody; model: string },
): Promise<void> | undefined =>
  body.size >= LARGE ? refuseWithoutCredit(context, context.services.catalog.get(model)) : undefined;
