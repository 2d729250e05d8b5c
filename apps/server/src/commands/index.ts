import { RESTRICTION_NAMES } from "@manifold-gateway/store/restrictions";
import type { CommandRow } from "./call.ts";
import type { OptionName } from "./options.ts";

const CAPS: readonly OptionName[] = ["daily", "weekly", "monthly", "total"];

/** The options for the address on which a service listens. */
const ADDRESS = { options: ["port", "host"], variables: { port: "PORT", host: "HOST" } } as const;

const accounts = () => import("./accounts.ts").then((module) => module.accounts);
const keys = () => import("./keys.ts").then((module) => module.keys);
const archive = () => import("./archive.ts").then((module) => module.archive);
const catalog = () => import("./catalog.ts").then((module) => module.catalog);
const catalogLists = () => import("./catalog-lists.ts").then((module) => module.catalogLists);

const declarations = () => import("./declarations.ts").then((module) => module.declarations);

const DECLARED =
  "Running servers use it within a second. What the configuration file names can be changed there only.";

const SERVER_REQUEST = "The server at server.host and server.port is asked, with server.adminKey.";

/** The commands, in the order of the help page. */
export const commands: readonly CommandRow[] = [
  {
    form: "start",
    does: "serve; what runs where no command is named",
    ...ADDRESS,
    notes: `--port and --host go before server.port and server.host of the file; PORT and HOST count without a file. So do
DATABASE_URL, MANIFOLD_OBJECTS, MANIFOLD_ADMIN_KEY, MANIFOLD_DEV_KEY, MANIFOLD_DEV_PASSWORD and MANIFOLD_SIMULATED:
docs/configuration.md.`,
    load: async () => (await import("./start.ts")).start,
  },
  {
    form: "demo",
    does: "serve a month of simulated traffic of three accounts, stored in ./data/demo",
    ...ADDRESS,
    options: [...ADDRESS.options, "requests", "seed"],
    load: async () => (await import("./demo.ts")).demo,
  },
  {
    form: "init [file]",
    does: "write a commented configuration, and a file with its secrets",
    options: ["store", "port", "url"],
    variables: { store: "DATABASE_URL", port: "PORT" },
    notes:
      "On a terminal it asks for what no option sets. Existing files are not overwritten. Default: manifold.yaml and manifold.env.",
    load: async () => (await import("./init.ts")).init,
  },
  {
    form: "simulate",
    does: "serve the simulator alone: a provider of every protocol, with faults on demand",
    options: ["port", "host", "fault", "times", "models", "seed"],
    notes:
      "A request brings faults of its own by its text: [[fault:status=503]]. docs/simulator.md has them all.",
    load: async () => (await import("./simulate.ts")).simulate,
  },
  {
    form: "doctor",
    does: "look at all that a start needs, and say what is to be done",
    notes: "The models of providers are listed, which is free. Exit code 1 if something has to be fixed.",
    load: async () => (await import("./doctor/doctor.ts")).doctor,
  },
  {
    form: "setup <agent>",
    does: "print or write the settings of a coding agent",
    options: ["url", "model", "keyVariable", "write"],
    notes:
      "Agents: aider, claude-code, cline, codex, continue, gemini-cli, opencode, pi, qwen-code. No key is printed or written.",
    load: async () => (await import("./setup/setup.ts")).setup,
  },
  {
    form: "accounts",
    does: "make accounts, add credit and give it back",
    commands: [
      {
        form: "create <name>",
        does: "create an account",
        options: ["id"],
        load: async () => (await accounts()).create,
      },
      { form: "list", does: "list the accounts", load: async () => (await accounts()).list },
      {
        form: "credit <account> <usd>",
        does: "add credit, once per reference",
        options: ["kind", "reference"],
        load: async () => (await accounts()).credit,
      },
      {
        form: "refund <account> <generation> [usd]",
        does: "refund its charge, or a part of it, once",
        load: async () => (await accounts()).refund,
      },
      {
        form: "ledger <account>",
        does: "list its movements of credit, newest first",
        load: async () => (await accounts()).ledger,
      },
      {
        form: "password <account>",
        does: "set how it signs in; the password is read from standard input",
        options: ["login"],
        load: async () => (await accounts()).password,
      },
    ],
  },
  {
    form: "keys",
    does: "create, limit and revoke keys",
    commands: [
      {
        form: "create <account> <name>",
        does: "create a key with caps and restrictions, and print it",
        options: [...CAPS, ...RESTRICTION_NAMES],
        load: async () => (await keys()).create,
      },
      { form: "list <account>", does: "list its keys", load: async () => (await keys()).list },
      {
        form: "revoke <account> <key>",
        does: "revoke a key for good",
        load: async () => (await keys()).revoke,
      },
      {
        form: "limit <account> <key>",
        does: "set or clear caps, and print them all",
        options: CAPS,
        load: async () => (await keys()).limit,
      },
      {
        form: "restrict <account> <key>",
        does: "set or lift restrictions, and print the key",
        options: RESTRICTION_NAMES,
        load: async () => (await keys()).restrict,
      },
    ],
  },
  {
    form: "catalog",
    does: "compare models with public lists, and change those of running servers",
    commands: [
      {
        form: "list",
        does: "list providers, models, webhooks and key defaults, and where each can be changed",
        options: ["json"],
        load: async () => (await declarations()).list,
      },
      {
        form: "set <section> <name>",
        does: "make or change what the database declares, by JSON from standard input",
        options: ["confirm", "dryRun"],
        notes: `The section is providers, models, webhooks or keyDefaults. The form is that of the file, in one line. ${DECLARED}`,
        load: async () => (await declarations()).set,
      },
      {
        form: "remove <section> <name>",
        does: "remove what the database declares",
        options: ["confirm", "dryRun"],
        notes: DECLARED,
        load: async () => (await declarations()).remove,
      },
      {
        form: "undo <revision>",
        does: "undo a change of set or remove, or of the API, by its number",
        options: ["confirm", "dryRun"],
        notes: "The audit log has the number, as `revision` of what was after the change.",
        load: async () => (await declarations()).undo,
      },
      {
        form: "export",
        does: "print the file with all that was added to it, as a file of JSON",
        notes: "Each credential is a variable of the environment.",
        load: async () => (await declarations()).export,
      },
      {
        form: "diff",
        does: "show where public lists differ from the file and the database",
        load: async () => (await catalogLists()).diff,
      },
      {
        form: "import",
        does: "write the prices, modalities, limits and parameters of the lists into both",
        load: async () => (await catalogLists()).import,
      },
      {
        form: "traits",
        does: "list the traits of models and their sources, with those learnt by a server",
        notes: SERVER_REQUEST,
        load: async () => (await import("./catalog-traits.ts")).catalogTraits.traits,
      },
      {
        form: "learn",
        does: "write the traits that a server has learnt from refusals into the file",
        notes: SERVER_REQUEST,
        load: async () => (await import("./catalog-traits.ts")).catalogTraits.learn,
      },
      {
        form: "apply",
        does: "store the models of the file for running servers",
        options: ["dryRun", "json"],
        load: async () => (await catalog()).apply,
      },
      {
        form: "activate <model>",
        does: "serve a model again, in running servers too",
        load: async () => (await catalog()).activate,
      },
      {
        form: "deactivate <model>",
        does: "stop serving a model, in running servers too",
        load: async () => (await catalog()).deactivate,
      },
    ],
  },
  {
    form: "explain",
    does: "show what would happen to a request, and do nothing",
    options: ["surface", "body", "model", "account"],
    notes: "Exit code 1 if the request would be refused.",
    load: async () => (await import("./explain.ts")).explain,
  },
  {
    form: "audit",
    does: "recompute every balance and every charge",
    options: ["repair"],
    notes: "Exit code 1 on any difference.",
    load: async () => (await import("./audit.ts")).audit,
  },
  {
    form: "archive",
    does: "write the records of closed months to files, where the files of media are",
    options: ["until", "remove"],
    notes: `A month is closed archive.days after its end, once all its records have ended. Servers may run meanwhile; a command
that was interrupted goes on when it is repeated. Exit code 1 if a month is not archived or not removed, with the reason.`,
    load: async () => (await archive()).write,
    commands: [
      { form: "list", does: "list the archived months", load: async () => (await archive()).list },
      {
        form: "verify",
        does: "check all files, their chain, and their sums against the database",
        notes: "Exit code 1 if anything is missing, damaged or different.",
        load: async () => (await archive()).verify,
      },
      {
        form: "read <month>",
        does: "print the records of an archived month",
        options: ["account", "generation", "csv"],
        load: async () => (await archive()).read,
      },
      {
        form: "bill <account> <month>",
        does: "print what an account used in a month, by key and model, archived or not",
        load: async () => (await archive()).bill,
      },
    ],
  },
  {
    form: "audit-log",
    does: "list who changed what, newest first",
    options: ["account"],
    load: async () => (await import("./audit-log.ts")).auditLog,
  },
  {
    form: "backup <target>",
    does: "copy the database into a new folder and check the copy, also while servers run",
    load: async () => (await import("./backup.ts")).backup,
  },
  {
    form: "move <url>",
    does: "copy a SQLite database to an empty Postgres, while no server runs",
    notes: `The address is as in postgres://user@host:5432/database, with the password in PGPASSWORD. The file does not change, and
an interrupted copy leaves nothing: docs/operations.md, "Move to Postgres".`,
    load: async () => (await import("./move.ts")).move,
  },
  {
    form: "reseal",
    does: "encrypt stored keys and credentials anew, with the last of keyEncryptionSecrets",
    notes: `After that, the secrets before it can be taken out of the configuration: docs/operations.md, "Replace the secret that
encrypts". Exit code 1 if no secret decrypts some of them.`,
    load: async () => (await import("./reseal.ts")).reseal,
  },
  {
    form: "schema",
    does: "print the JSON Schema of the configuration file",
    load: async () => (await import("./schema.ts")).schema,
  },
];
