import type { JsonBody } from "../http/json-body.ts";
import type { Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import type { Services } from "../ports/services.ts";

type Billed = Pick<Context, "caller"> & { services: Pick<Services, "billing"> };

/** The refusal of a caller who has no credit left for anything that has a price. */
export async function refusalWithoutCredit({ services, caller }: Billed): Promise<Refusal | undefined> {
  const nothing = { input: 0, output: 0 };
  // The price says that it is not free.
  const opening = { caller, modality: "text", model: "", request: "", price: { input: 1 } } as const;
  return (await services.billing.headroom?.({ ...opening, usage: nothing }))?.refusal;
}

/** From what length on a body takes long enough to translate that credit is looked at before, in bytes. */
const LARGE = 256 * 1024;

/**
 * Refuses a large request of a caller who has no credit left before anything is made of it. If the model may be free,
 * it is left to the hold.
 */
export async function refuseUnpayable(
  context: Context,
  ask: { body: JsonBody; model: string },
): Promise<void> {
  if (ask.body.bytes.length < LARGE) return;
  const { entries = [] } = context.services.catalog.get(ask.model) ?? {};
  const isFree = entries.some(({ price }) => price && Object.values(price).every((rate) => rate === 0));
  if (entries.length === 0 || isFree) return;
  const refusal = await refusalWithoutCredit(context);
  if (refusal) throw refusal;
}
