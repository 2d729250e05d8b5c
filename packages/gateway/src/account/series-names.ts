import type { JsonObject } from "@manifold-gateway/core/codec";
import { playgroundOf } from "@manifold-gateway/store";
import type { Services } from "../ports/services.ts";
import type { KnownEntries } from "./known-entries.ts";

/** Readable names for the ids of series. */
type Names = ReadonlyMap<string, JsonObject>;
const NONE: Names = new Map();

export const withNames = (series: readonly JsonObject[], names: Names): JsonObject[] =>
  series.map((one) => ({ ...one, ...names.get(one.name as string) }));

/** The names of an account's keys and of its playground, by id. */
export async function keyNamesOf(
  { store }: Pick<Services, "store">,
  account: string,
): Promise<ReadonlyMap<string, string>> {
  const keys = await store.keys.list(account);
  return new Map([[playgroundOf(account), "playground"], ...keys.map(({ id, name }) => [id, name] as const)]);
}

/** Readable names for series of keys; none for other series. */
export async function keyNames(
  services: Pick<Services, "store">,
  by: unknown,
  account?: string,
): Promise<Names> {
  if (by !== "key" || account === undefined) return NONE;
  const names = await keyNamesOf(services, account);
  return new Map([...names].map(([id, displayName]) => [id, { displayName }]));
}

/** What readable names are looked for. */
interface NameContext {
  account: string | undefined;
  series: readonly JsonObject[];
  entries: KnownEntries;
}

/** Readable names for operators, who also see the names of accounts and the provider of an entry. */
export async function allNames(
  services: Pick<Services, "store">,
  by: unknown,
  { account, series, entries }: NameContext,
): Promise<Names> {
  switch (by) {
    case "account": {
      const ids = series.flatMap(({ name }) => (typeof name === "string" ? [name] : []));
      const names = await services.store.accounts.names(ids);
      return new Map([...names].map(([id, displayName]) => [id, { displayName }]));
    }
    case "entry":
      return new Map([...entries].map(([id, { provider, name }]) => [id, { served: { provider, name } }]));
    default:
      return keyNames(services, by, account);
  }
}
