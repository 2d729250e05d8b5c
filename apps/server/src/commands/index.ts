import { accounts } from "./accounts.ts";
import { audit } from "./audit.ts";
import { auditLog } from "./audit-log.ts";
import { backup } from "./backup.ts";
import { catalog } from "./catalog.ts";
import { type Command, usageOf } from "./command.ts";
import { demo } from "./demo.ts";
import { explain } from "./explain.ts";
import { keys } from "./keys.ts";
import { schema } from "./schema.ts";
import { start } from "./start.ts";

/** The words of the command line. */
export const commands: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    start,
    demo,
    audit,
    "audit-log": auditLog,
    backup,
    accounts,
    keys,
    catalog,
    explain,
    schema,
  }),
);

export const USAGE = `usage:
${[...commands].map(([name, { usage }]) => usageOf(name, usage)).join("\n")}

ACCOUNT is an id or a name. Without --config, MANIFOLD_CONFIG and then ./manifold.json are looked for; without any
of them a simulator serves models of every protocol, with SQLite in ./data.`;
