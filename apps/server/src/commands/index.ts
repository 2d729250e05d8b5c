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
  "Running servers use it within a second. What is in the configuration file can only be changed there.";

const SERVER_REQUEST = "It asks the server at server.host and server.port, with server.adminKey.";

/** The commands, in the order of the help page. */
export const commands: readonly CommandRow[] = [
  {
    form: "start",
    does: "serve; the default command",
    ...ADDRESS,
    notes: `--port and --host override server.port and server.host of the file. PORT and HOST are used only without a file, and so
are DATABASE_URL, MANIFOLD_OBJECTS, MANIFOLD_ADMIN_KEY, MANIFOLD_DEV_KEY, MANIFOLD_DEV_PASSWORD, MANIFOLD_SIMULATED and
MANIFOLD_WARM_UP: docs/configuration.md.`,
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
      "By default it writes manifold.yaml and manifold.env; existing files are not overwritten. On a terminal it asks for what no option sets.",
    load: async () => (await import("./init.ts")).init,
  },
  {
    form: "simulate",
    does: "serve the simulator alone: a provider of every protocol, with faults on demand",
    options: ["port", "host", "fault", "times", "models", "seed"],
    meanings: {
      port: "the port; 9100 by default, 0 lets the system choose",
      models: "ids of the models that it has, separated by commas; by default it answers to any",
      seed: "a part of every id in its answers; the same request gets the same ids with the same seed",
    },
    notes:
      "A text in a request sets faults for that request alone: [[fault:status=503]]. All faults: docs/simulator.md.",
    load: async () => (await import("./simulate.ts")).simulate,
  },
  {
    form: "doctor",
    does: "check everything that a start needs, and say what to fix",
    notes:
      "It asks each provider for its list of models, which is free. Exit code 1 if something has to be fixed.",
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
    does: "create accounts, add credit and refund charges",
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
        does: "refund the charge of a generation, or a part of it, once",
        load: async () => (await accounts()).refund,
      },
      {
        form: "ledger <account>",
        does: "list the movements of an account's credit, newest first",
        load: async () => (await accounts()).ledger,
      },
      {
        form: "password <account>",
        does: "set the login and password of an account; standard input has the password",
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
      { form: "list <account>", does: "list the keys of an account", load: async () => (await keys()).list },
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
    does: "list, change and compare providers and models, also of running servers",
    commands: [
      {
        form: "list",
        does: "list providers, models, webhooks and key defaults, and where each can be changed",
        load: async () => (await declarations()).list,
      },
      {
        form: "set <section> <name>",
        does: "create or change a declaration in the database, from JSON on standard input",
        options: ["confirm", "dryRun"],
        notes: `The section is providers, models, webhooks or keyDefaults. The JSON is what would follow the name in the configuration file. ${DECLARED}`,
        load: async () => (await declarations()).set,
      },
      {
        form: "remove <section> <name>",
        does: "remove a declaration from the database",
        options: ["confirm", "dryRun"],
        notes: DECLARED,
        load: async () => (await declarations()).remove,
      },
      {
        form: "undo <revision>",
        does: "undo a change made by set, by remove or over HTTP",
        options: ["confirm", "dryRun"],
        notes: "`audit-log` shows the revision of a change, as a member of `after`.",
        load: async () => (await declarations()).undo,
      },
      {
        form: "export",
        does: "print the configuration with all declarations of the database, as one file of JSON",
        notes: "Each credential is replaced by a reference to an environment variable.",
        load: async () => (await declarations()).export,
      },
      {
        form: "diff",
        does: "show where the models of the file and the database differ from public lists",
        load: async () => (await catalogLists()).diff,
      },
      {
        form: "import",
        does: "write those differences (prices, modalities, limits, parameters) into the file and the database",
        load: async () => (await catalogLists()).import,
      },
      {
        form: "traits",
        does: "list the traits of models, each with its source, and those that a server has learnt",
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
        does: "store the models of the file, which running servers then use",
        options: ["dryRun"],
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
    notes:
      "--surface and --body are required, and --model for genstyle. Exit code 1 if the request would be refused.",
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
    does: "write the records of closed months to files, beside the files of media",
    options: ["until", "remove"],
    notes: `A month is closed archive.days after its end, once all its requests have ended. Servers may run meanwhile. An
interrupted command continues when it is repeated. Exit code 1 if a month is not archived or not removed, with the
reason.`,
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
    notes: `The URL is of the form postgres://user@host:5432/database; PGPASSWORD has the password. The SQLite file does not
change, and an interrupted copy leaves nothing behind: docs/operations.md, "Move to Postgres".`,
    load: async () => (await import("./move.ts")).move,
  },
  {
    form: "reseal",
    does: "encrypt stored keys and credentials anew, with the last of keyEncryptionSecrets",
    notes: `The secrets before the last can then be removed from the configuration: docs/operations.md, "Replace the secret that
encrypts". Exit code 1 if something is left that no secret decrypts.`,
    load: async () => (await import("./reseal.ts")).reseal,
  },
  {
    form: "schema",
    does: "print the JSON Schema of the configuration file",
    load: async () => (await import("./schema.ts")).schema,
  },
];
