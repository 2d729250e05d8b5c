/** The options of all commands: how each is written, and what it is. A command's row names those that it takes. */
export const OPTIONS = {
  config: ["-c, --config <file>", "the configuration file"],
  json: ["--json", "print JSON, one object a line, which is also what a pipe gets"],
  repair: ["--repair", "first write the sums of usage anew where they differ; money is never changed"],
  id: ["--id <id>", "the account's id; by default one is made"],
  kind: ["--kind <kind>", "topup (default) or writeoff"],
  reference: [
    "--reference <text>",
    "the reference of the credit, which is added once for each; by default a new one",
  ],
  login: ["--login <name>", "the name to sign in with; by default the account's"],
  surface: ["--surface <name>", "the surface that the request is for, such as chatstyle, msgstyle or images"],
  body: ["--body <file>", "the file with the request's body, in JSON"],
  model: ["--model <model>", "the id of the model"],
  account: ["--account <account>", "the account, by its id or its name"],
  daily: ["--daily <usd>", "the spending limit of a day, or none"],
  weekly: ["--weekly <usd>", "the spending limit of a week, or none"],
  monthly: ["--monthly <usd>", "the spending limit of a month, or none"],
  total: ["--total <usd>", "the spending limit for all time, or none"],
  requestsPerMinute: ["--requests-per-minute <n>", "the most requests in sixty seconds, or none"],
  tokensPerMinute: ["--tokens-per-minute <n>", "the most tokens in sixty seconds, or none"],
  concurrentRequests: ["--concurrent-requests <n>", "the most requests at one time, or none"],
  models: [
    "--models <ids>",
    "the models that may be called, with commas and * for any text, or none for all",
  ],
  surfaces: ["--surfaces <names>", "the surfaces that may be used, with commas, or none for all"],
  expiresAt: ["--expires-at <time>", "the time from which the key is refused, such as 2030-01-01, or none"],
  url: ["--url <url>", "the address of the gateway; by default that of the configuration"],
  keyVariable: [
    "--key-variable <name>",
    "the environment variable that holds a key of the gateway (MANIFOLD_KEY)",
  ],
  write: ["--write", "write the files; JSON is added to what they have"],
  port: ["--port <port>", "the port; 0 lets the system choose"],
  host: ["--host <host>", "the address to listen on (127.0.0.1)"],
  fault: ["--fault <faults>", "what goes wrong, such as status=429,retry-after=2 or delay=500 or cut=100"],
  times: ["--times <n>", "the number of requests that it happens to; by default all"],
  requests: ["--requests <n>", "the number of requests that are made up (3000)"],
  seed: ["--seed <text>", "the seed of what is made up; the same one makes the same again"],
} as const;

export type OptionName = keyof typeof OPTIONS;

/** What a command line gave: text for an option that takes a value, `true` for a switch. */
export type Options = {
  [name in OptionName]?: (typeof OPTIONS)[name][0] extends `${string}<${string}` ? string : boolean;
};
