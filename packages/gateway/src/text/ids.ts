import { createHash } from "node:crypto";
import type { Credential, Provider } from "@manifold-gateway/providers";
import { logFailure } from "../fault.ts";
import { quote } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import { EntryRejected } from "../routing/queue.ts";
import type { Metered } from "./metered.ts";

/** The owner of an id: the caller, another account, or unknown because no answer has held it. */
type Owner = "own" | "foreign" | "unknown";

/** The facts about the ids of a request. */
export interface Owned {
  owners: ReadonlyMap<string, Owner>;
  /** The credentials that their answers were made with, where their providers have several; see `makerOf`. */
  makers: readonly string[];
}

/** The credential of a provider as what it makes is remembered by; nothing where the provider has a single one. */
export const makerOf = (provider: string, credential: Credential | undefined): string | undefined =>
  credential && JSON.stringify([provider, credential.name]);

/** The name of the credential at a provider that has made what a request names. */
export function makerAt({ makers }: Pick<Owned, "makers">, provider: string): string | undefined {
  for (const maker of makers) {
    const [id, name] = JSON.parse(maker) as [string, string];
    if (id === provider) return name;
  }
  return undefined;
}

/** Ids are kept as hashes: a reader of the database cannot use them. */
const hashOf = (id: string): string => createHash("sha256").update(id).digest("base64url");

/** Looks up whose the ids are that a request names; nothing where it names none, as most. */
export async function ownedIds(
  { services, caller }: Pick<Context, "services" | "caller">,
  { ids }: Metered,
): Promise<Owned | undefined> {
  if (ids.length === 0) return undefined;
  const issued = await services.store.issuedIds.issued(ids.map(({ id }) => hashOf(id)));
  const owners = new Map(
    ids.map(({ id }): [string, Owner] => {
      const owner = issued.get(hashOf(id))?.accountId;
      return [id, owner === undefined ? "unknown" : owner === caller.accountId ? "own" : "foreign"];
    }),
  );
  return { owners, makers: [...issued.values()].flatMap(({ maker }) => maker ?? []) };
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
    const owner = owned?.owners.get(id);
    const param = path;
    if (owner === "foreign")
      throw new EntryRejected(
        "refused",
        "foreign_id",
        `${path}: ${quote(id)} does not belong to this account.`,
        {
          param,
        },
      );
    if (owner === "unknown" && provider.unknownIds === "refuse")
      throw new EntryRejected(
        "unknown_id",
        "unknown_id",
        `${path}: ${quote(id)} was in no response to this account; such ids are not accepted here.`,
        { param },
      );
  }
}

/**
 * Remembers to whom the ids of an answer were given, and by which credential they were made. Nothing waits for it:
 * they are of no use before the answer ends.
 */
export function noteIds(
  { id: request, services, caller }: Context,
  ids: readonly string[] = [],
  maker?: string,
): void {
  if (ids.length === 0) return;
  const { store, now, log } = services;
  store.issuedIds
    .note(caller.accountId, ids.map(hashOf), now(), maker)
    .catch((error: unknown) => logFailure(log, error, { request }, "ids of an answer not kept"));
}
