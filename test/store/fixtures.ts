import { randomUUID } from "node:crypto";
import {
  type Caps,
  lookupHash,
  mintKey,
  prefixOf,
  type Reservation,
  type Store,
} from "@manifold-gateway/store";

/** A Saturday, 12:00Z. */
export const NOW = Date.UTC(2026, 10, 21, 12);

/** A store's name as of a machine that cannot be seen from here: only its silence tells whether it is alive. */
export const elsewhere = (): string => `elsewhere/${randomUUID()}`;

/** An account with credit, and a key of it. */
export async function makeCaller(store: Store, options: { credit?: number; caps?: Caps } = {}) {
  const accountId = `account-${randomUUID()}`;
  await store.accounts.ensure({ id: accountId, name: "Ada", at: NOW });
  const { credit = 1_000_000 } = options;
  if (credit > 0)
    await store.accounts.credit({
      accountId,
      amount: credit,
      kind: "topup",
      reference: randomUUID(),
      at: NOW,
    });
  return { accountId, keyId: await makeKey(store, accountId, options.caps) };
}

export async function makeKey(store: Store, accountId: string, caps?: Caps): Promise<string> {
  const id = `key-${randomUUID()}`;
  const secret = mintKey();
  await store.keys.create({
    id,
    accountId,
    name: id,
    prefix: prefixOf(secret),
    hash: lookupHash(secret),
    at: NOW,
    ...(caps ? { caps } : {}),
  });
  return id;
}

/** A text generation's reservation. */
export function makeReservation(
  caller: { accountId: string; keyId?: string },
  amount: number,
  rest: Partial<Reservation> = {},
): Reservation {
  return {
    generation: {
      id: `generation-${randomUUID()}`,
      accountId: caller.accountId,
      ...(caller.keyId === undefined ? {} : { keyId: caller.keyId }),
      modality: "text",
      model: "swift-1",
    },
    amount,
    at: NOW,
    policy: "threshold",
    ...rest,
  };
}

/** The reservation at a price of one micro-USD a token of output. */
export const priced = (reservation: Reservation): Reservation => ({
  ...reservation,
  generation: { ...reservation.generation, price: { output: 1_000_000 } },
});
