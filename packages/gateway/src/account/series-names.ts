import type { JsonObject } from "@manifold-gateway/core/codec";
import { playgroundOf } from "@manifold-gateway/store";
import { allEntries } from "../operating/state.ts";
import type { Services } from "../ports/services.ts";

/** What people know the ids of series by. */
type Names = ReadonlyMap<string, JsonObject>;
const NONE: Names = new Map();

export const named = (series: readonly JsonObject[], names: Names): JsonObject[] =>
  series.map((one) => ({ ...one, ...names.get(one.name as string) }));

/** The names of an account's keys by their ids, and that of its playground. */
export async function keyNamesOf(
  { store }: Pick<Services, "store">,
  account: string,
): Promise<ReadonlyMap<string, string>> {
  const keys = await store.keys.list(account);
  return new Map([[playgroundOf(account), "playground"], ...keys.map(({ id, name }) => [id, name] as const)]);
}

/** The same, where series are of keys. */
export async function keyNames(services: Services, by: unknown, account?: string): Promise<Names> {
  if (by !== "key" || account === undefined) return NONE;
  const names = await keyNamesOf(services, account);
  return new Map([...names].map(([id, displayName]) => [id, { displayName }]));
}

/** The same for operators, who are told the names of accounts, and which provider an entry belongs to. */
export async function allNames(
  services: Services,
  by: unknown,
  { account, series }: { account: string | undefined; series: readonly JsonObject[] },
): Promise<Names> {
  switch (by) {
    case "account": {
      const ids = series.flatMap(({ name }) => (typeof name === "string" ? [name] : []));
      const found = await Promise.all(ids.map((id) => services.store.accounts.get(id)));
      return new Map(found.flatMap((one) => (one ? [[one.id, { displayName: one.name }]] : [])));
    }
    case "entry":
      return new Map(
        allEntries(services).map(({ id, entry: { provider, name } }) => [id, { served: { provider, name } }]),
      );
    default:
      return keyNames(services, by, account);
  }
}
