import { createHash } from "node:crypto";
import type { Provider } from "@manifold-gateway/providers";
import { logFailure } from "../fault.ts";
import { quote } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import { EntryRejected } from "../routing/queue.ts";
import type { Metered } from "./metered.ts";

/** The owner of an id: the caller, another account, or unknown because no answer has held it. */
type Owner = "own" | "foreign" | "unknown";
/** The owners of the ids of a request. */
export type Owned = ReadonlyMap<string, Owner>;

/** Ids are kept as hashes: a reader of the database cannot use them. */
const hashOf = (id: string): string => createHash("sha256").update(id).digest("base64url");

/** Looks up whose the ids are that a request names; nothing where it names none, as most. */
export async function ownedIds(
  { services, caller }: Pick<Context, "services" | "caller">,
  { ids }: Metered,
): Promise<Owned | undefined> {
  if (ids.length === 0) return undefined;
  const owners = await services.store.issuedIds.owners(ids.map(({ id }) => hashOf(id)));
  return new Map(
    ids.map(({ id }): [string, Owner] => {
      const owner = owners.get(hashOf(id));
      return [id, owner === undefined ? "unknown" : owner === caller.accountId ? "own" : "foreign"];
    }),
  );
}

/**
 * Refuses ids by which the caller would reach what the provider keeps for another account: all accounts share one
 * credential there.
 */
export function refuseForeign(
  { ids }: Metered,
  { provider }: { provider: Pick<Provider, "unknownIds"> },
  owned: Owned | undefined,
): void {
  for (const { path, id } of ids) {
    const owner = owned?.get(id);
    const param = path;
    if (owner === "foreign")
      throw new EntryRejected(
        "refused",
        "foreign_id",
        `${path}: ${quote(id)} was not given to this account.`,
        {
          param,
        },
      );
    if (owner === "unknown" && provider.unknownIds === "refuse")
      throw new EntryRejected(
        "unknown_id",
        "unknown_id",
        `${path}: ${quote(id)} is in no answer that this account was given; such ids are not accepted here.`,
        { param },
      );
  }
}

/**
 * Remembers to whom the ids of an answer were given. Nothing waits for it: they are of no use before the answer ends.
 */
export function noteIds({ id: request, services, caller }: Context, ids: readonly string[] = []): void {
  if (ids.length === 0) return;
  const { store, now, log } = services;
  store.issuedIds
    .note(caller.accountId, ids.map(hashOf), now())
    .catch((error: unknown) => logFailure(log, error, { request }, "ids of an answer not kept"));
}
