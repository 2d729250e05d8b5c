import { messageOf } from "@manifold-gateway/gateway/admin";
import { inspectDatabase, inspectReader } from "@manifold-gateway/store";
import { keyVaultOf } from "../../config/build.ts";
import { readerOf, storeUrl } from "../../config/store.ts";
import { openStore } from "../../host.ts";
import { countOf } from "../../processes/count.ts";
import { countLostKeys } from "../../unreadable-keys.ts";
import { type Case, type Check, fail, isReadable, type Outcome, ok, seconds, warn } from "./check.ts";
import { missing } from "./files.ts";

/** Checks that the database answers and has this program's migrations. It doesn't migrate: that is irreversible. */
export const database: Check = async (of) => {
  const begun = of.now();
  try {
    const url = storeUrl(of.config.store);
    const state = await inspectDatabase(url);
    const took = of.now() - begun;
    of.database = state;
    if (state.aheadMs !== undefined) of.clocks.push({ of: "the database", aheadMs: state.aheadMs });
    return [outcomeOf(state, url, took), ...fewConnections(state, countOf(of.config))];
  } catch (error) {
    return [
      fail("database", messageOf(error), "correct 'store', or what it leads to; a start would end here"),
    ];
  }
};

function outcomeOf(state: NonNullable<Case["database"]>, store: string, took: number): Outcome {
  const kind = store.startsWith("sqlite:") ? store : "Postgres";
  if (store === "sqlite::memory:")
    return warn("database", `${store}: all is gone with the process`, "name a file or Postgres");
  if (state.refusal !== undefined)
    return fail("database", `${kind}: ${state.refusal}`, "do what it says; a start would end here");
  if (!state.exists)
    return store.startsWith("sqlite:")
      ? missing("database", store.slice("sqlite:".length))
      : ok("database", `${kind} is empty, and a start makes its tables`);
  if (state.pending > 0)
    return warn(
      "database",
      `${kind}: a start applies ${state.pending === 1 ? "a migration" : `${state.pending} migrations`}, and there is no way back`,
      "make a backup before the next start",
    );
  const { isPooled = false, keepsNames = true } = state.access ?? {};
  const through = isPooled ? ", through a pooler" : "";
  const found = `${kind}: all migrations of this version, answered in ${seconds(took)}${through}`;
  return keepsNames
    ? ok("database", found)
    : warn(
        "database",
        `${found} that forgets prepared statements`,
        "set max_prepared_statements of PgBouncer 1.21 or newer: each statement is planned anew without",
      );
}

/** Checks that lists and sums are read from a replica of the database, which answers. */
export const reader: Check = async ({ config, now }) => {
  const terms = readerOf(config.store);
  if (!terms) return [];
  const begun = now();
  try {
    const { refusal, isPrimary } = await inspectReader(storeUrl(config.store), terms.url);
    if (refusal !== undefined)
      return [fail("store.reader", refusal, "name a replica of the database, or leave 'store.reader' out")];
    return [
      isPrimary
        ? warn(
            "store.reader",
            "it is the primary itself",
            "name a replica: this one has the same work as without",
          )
        : ok("store.reader", `a replica of the database, answered in ${seconds(now() - begun)}`),
    ];
  } catch (error) {
    return [
      warn(
        "store.reader",
        messageOf(error),
        "correct 'store.reader'; lists and sums come from the primary until then",
      ),
    ];
  }
};

/** Compares the connections that the server grants with those that the processes of this machine may take. */
function fewConnections({ connections }: NonNullable<Case["database"]>, processes: number): Outcome[] {
  if (!connections) return [];
  const needed = connections.ofProcess * processes;
  if (connections.granted >= needed) return [];
  return [
    warn(
      "database",
      `Postgres grants this user ${connections.granted} connections, and ${processes} ${processes === 1 ? "process takes" : "processes take"} up to ${needed}: requests get 503 under load`,
      "raise max_connections or the user's CONNECTION LIMIT, lower server.processes, or put PgBouncer between",
    ),
  ];
}

/** Checks that stored keys can still be decrypted. Only a fully migrated database is opened. */
export const seals: Check = async ({ config, database: state }) => {
  if (!isReadable(state)) return [];
  const store = await openStore(storeUrl(config.store));
  try {
    const lost = await countLostKeys(store, keyVaultOf(config));
    if (lost > 0)
      return [
        fail(
          "seals",
          `${lost} stored keys cannot be shown again: no secret of keyEncryptionSecrets opens them`,
          "add the secret that they were sealed with; until then they let callers in, and are not shown",
        ),
      ];
    return [
      config.keyEncryptionSecrets.length === 0
        ? warn(
            "seals",
            "there are no keyEncryptionSecrets, so keys are not shown again",
            "add one: openssl rand -hex 32",
          )
        : ok("seals", "all stored keys can be shown again"),
    ];
  } finally {
    await store.close();
  }
};
