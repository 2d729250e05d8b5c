import type { Store } from "@manifold-gateway/store";

/** The names of the accounts that rows of a list have, by id. */
export async function accountNamesOf(
  { accounts }: Pick<Store, "accounts">,
  rows: readonly { accountId: string }[],
): Promise<ReadonlyMap<string, { accountName: string }>> {
  const ids = [...new Set(rows.map(({ accountId }) => accountId))];
  const names = await accounts.names(ids);
  return new Map([...names].map(([id, accountName]) => [id, { accountName }]));
}
