import { createHash } from "node:crypto";
import type { Credential, Provider } from "@manifold-gateway/providers";
import { logFailure } from "../http/fault.ts";
import { quote } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import { EntryRejected } from "../routing/queue.ts";
import type { Metered } from "./billable-items.ts";

/** The owner of an id: the caller, another account, or unknown because it was in no answer. */
type Owner = "own" | "foreign" | "unknown";

/** The facts about the ids of a request. */
export interface IdOwners {
  owners: ReadonlyMap<string, Owner>;
  /** The names of the credentials that created the ids, by provider, for providers with several. */
  makers: ReadonlyMap<string, string>;
}

/** The credential as it is stored with the ids that it creates; undefined if the provider has a single one. */
export const makerOf = (provider: string, credential: Credential | undefined): string | undefined =>
  credential && JSON.stringify([provider, credential.name]);

/** Hashes an id for storage, so that a reader of the database cannot use it. */
const hashOf = (id: string): string => createHash("sha256").update(id).digest("base64url");

/** Looks up the owners of the ids in a request. */
export async function idOwnersOf(
  { services, caller }: Pick<Context<"store">, "services" | "caller">,
  { ids }: Metered,
): Promise<IdOwners> {
  const issued = await services.store.issuedIds.issued(ids.map(({ id }) => hashOf(id)));
  const owners = new Map(
    ids.map(({ id }): [string, Owner] => {
      const owner = issued.get(hashOf(id))?.accountId;
      return [id, owner === undefined ? "unknown" : owner === caller.accountId ? "own" : "foreign"];
    }),
  );
  const makers = new Map<string, string>();
  for (const { maker } of issued.values()) {
    const [provider, name] = maker === undefined ? [] : (JSON.parse(maker) as [string, string]);
    // A request names objects of one credential: if it does not, the first counts.
    if (provider !== undefined && name !== undefined && !makers.has(provider)) makers.set(provider, name);
  }
  return { owners, makers };
}

/**
 * Refuses ids of objects that the provider stores for another account. The provider cannot refuse them itself, because
 * all accounts share one credential there.
 */
export function refuseForeign(
  { ids }: Metered,
  { provider }: { provider: Pick<Provider, "unknownIds"> },
  idOwners: IdOwners | undefined,
): void {
  for (const { path, id } of ids) {
    const owner = idOwners?.owners.get(id);
    const param = path;
    if (owner === "foreign") {
      const text = `${path}: ${quote(id)} does not belong to this account.`;
      throw new EntryRejected("refused", "foreign_id", text, { param });
    }
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
 * Saves the account and the credential of the ids in an answer. Nothing waits for the write: the caller cannot use the
 * ids before the answer ends.
 */
export function noteIds(
  { id: request, services, caller }: Context<"log" | "now" | "store">,
  ids: readonly string[],
  maker: string | undefined,
): void {
  const { store, now, log } = services;
  store.issuedIds
    .note(caller.accountId, ids.map(hashOf), now(), maker)
    .catch((error: unknown) => logFailure(log, error, { request }, "ids of an answer not kept"));
}
