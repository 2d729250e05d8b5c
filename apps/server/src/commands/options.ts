import { RESTRICTION_OPTIONS } from "./restriction-options.ts";

/** The options of all commands, with their form and description. A command's row names those that it accepts. */
export const OPTIONS = {
  config: ["-c, --config <file>", "the configuration file"],
  json: ["--json", "print JSON, one object per line, as in a pipe"],
  dryRun: ["--dry-run", "print what would change and store nothing"],
  confirm: ["--confirm", "make the change even if it breaks what callers use now"],
  repair: ["--repair", "first recompute the sums of usage if they differ; money is never changed"],
  remove: ["--remove", "remove the records from the database, each month after its files were verified"],
  until: ["--until <month>", "the last month, such as 2026-01; by default the last that is closed"],
  generation: ["--generation <id>", "the id of one record"],
  csv: ["--csv", "print comma-separated values instead of JSON"],
  id: ["--id <id>", "the account's id; by default a generated one"],
  kind: ["--kind <kind>", "topup (default) or writeoff"],
  reference: [
    "--reference <text>",
    "a name of this credit; the same name adds nothing a second time; by default a new one",
  ],
  login: ["--login <name>", "the name to sign in with; by default the account's"],
  surface: [
    "--surface <name>",
    "the kind of the request, such as chatstyle, msgstyle or images; docs/routing.md lists all",
  ],
  body: ["--body <file>", "the file with the body of the request, in JSON"],
  model: ["--model <model>", "the id of the model"],
  account: ["--account <account>", "the account, by its id or its name"],
  daily: ["--daily <usd>", "the spending limit of a day, or none"],
  weekly: ["--weekly <usd>", "the spending limit of a week, or none"],
  monthly: ["--monthly <usd>", "the spending limit of a month, or none"],
  total: ["--total <usd>", "the spending limit for all time, or none"],
  ...RESTRICTION_OPTIONS,
  url: ["--url <url>", "the URL that callers of the gateway use"],
  keyVariable: ["--key-variable <name>", "the environment variable with a key of the gateway (MANIFOLD_KEY)"],
  write: ["--write", "write the files; JSON is merged into existing ones"],
  store: ["--store <address>", "the database: sqlite:FILE or postgres://…"],
  port: ["--port <port>", "the port; 0 lets the system choose"],
  host: ["--host <host>", "the address to listen on; 127.0.0.1 by default"],
  fault: [
    "--fault <faults>",
    "faults of all requests, such as status=429,retry-after=2 or delay=500 or cut=100",
  ],
  times: ["--times <n>", "only the first n requests have the faults; by default all have them"],
  requests: ["--requests <n>", "the number of generated requests (3000)"],
  seed: ["--seed <text>", "the seed of the data; the same seed generates the same data"],
} as const;

export type OptionName = keyof typeof OPTIONS;

/** The parsed options of a command line: text for an option with a value, `true` for a switch. */
export type Options = {
  [name in OptionName]?: (typeof OPTIONS)[name][0] extends `${string}<${string}` ? string : boolean;
};
