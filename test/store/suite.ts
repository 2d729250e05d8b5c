import { afterAll, beforeAll, describe } from "vitest";
import { accounts } from "./contexts/accounts.ts";
import { archive } from "./contexts/archive.ts";
import { assets } from "./contexts/assets.ts";
import { audit } from "./contexts/audit.ts";
import { batches } from "./contexts/batches.ts";
import { cachedAnswers } from "./contexts/cached-answers.ts";
import { catalog } from "./contexts/catalog.ts";
import { clocks } from "./contexts/clocks.ts";
import { columns } from "./contexts/columns.ts";
import { contents } from "./contexts/contents.ts";
import { expiry } from "./contexts/expiry.ts";
import { generationFilters } from "./contexts/generation-filters.ts";
import { generations } from "./contexts/generations.ts";
import { histories } from "./contexts/histories.ts";
import { jobs } from "./contexts/jobs.ts";
import { keys } from "./contexts/keys.ts";
import { late } from "./contexts/late.ts";
import { latencies } from "./contexts/latencies.ts";
import { leases } from "./contexts/leases.ts";
import { ledger } from "./contexts/ledger.ts";
import { migrations } from "./contexts/migrations.ts";
import { money } from "./contexts/money.ts";
import { moves } from "./contexts/moves.ts";
import { outbox } from "./contexts/outbox.ts";
import { processes } from "./contexts/processes.ts";
import { providerErrors } from "./contexts/provider-errors.ts";
import { rates } from "./contexts/rates.ts";
import { recovery } from "./contexts/recovery.ts";
import { refusals } from "./contexts/refusals.ts";
import { repeats } from "./contexts/repeats.ts";
import { replies } from "./contexts/replies.ts";
import { signIns } from "./contexts/sign-ins.ts";
import { texts } from "./contexts/texts.ts";
import { together } from "./contexts/together.ts";
import { traces } from "./contexts/traces.ts";
import { upstreamBatches } from "./contexts/upstream-batches.ts";
import { usage } from "./contexts/usage.ts";
import type { Database } from "./databases/database.ts";

/** Registers tests on a database; it is made before they run. */
export type Context = (database: () => Database, make: () => Promise<Database>) => void;

const CONTEXTS: Record<string, Context> = {
  migrations,
  accounts,
  keys,
  catalog,
  generations,
  generationFilters,
  columns,
  money,
  usage,
  latencies,
  texts,
  together,
  ledger,
  repeats,
  contents,
  providerErrors,
  replies,
  cachedAnswers,
  refusals,
  expiry,
  rates,
  signIns,
  jobs,
  moves,
  assets,
  batches,
  upstreamBatches,
  recovery,
  late,
  leases,
  traces,
  clocks,
  audit,
  archive,
  outbox,
  histories,
  processes,
};

/** What every store must do, whatever its database. */
export function storeSuite(
  dialect: string,
  make: () => Promise<Database>,
  /** Makes a database without tables, for the tests that create them. */
  makeEmpty: () => Promise<Database> = make,
): void {
  describe.each(Object.entries(CONTEXTS))(`${dialect}: %s`, (name, context) => {
    const makeOne = name === "migrations" ? makeEmpty : make;
    let database: Database;
    beforeAll(async () => {
      database = await makeOne();
    });
    afterAll(() => database?.drop());
    context(() => database, makeOne);
  });
}
