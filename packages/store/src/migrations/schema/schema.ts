import type { Migration } from "../migration.ts";
import { accounts } from "./accounts.ts";
import { auditLog } from "./audit-log.ts";
import { generations } from "./generations.ts";
import { jobs } from "./jobs.ts";
import { ledger } from "./ledger.ts";
import { outbox } from "./outbox.ts";
import { service } from "./service.ts";
import { sessions } from "./sessions.ts";
import { usage } from "./usage.ts";

/**
 * The tables of an empty database. Those that every request writes refer to others without foreign keys: the writing
 * statements read the referenced rows in the same transaction, and the audit checks them.
 */
export const schema: Migration = {
  name: "schema",
  statements: (dialect) =>
    [accounts, sessions, ledger, generations, jobs, usage, service, auditLog, outbox].flatMap((define) =>
      define(dialect),
    ),
};
