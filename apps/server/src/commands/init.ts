import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { activePresets, presets } from "@manifold-gateway/providers";
import { readDocument } from "../config/document.ts";
import { dataFolder } from "../config/embedded.ts";
import { parseDocument } from "../config/load.ts";
import { envFileOf } from "../config/locate.ts";
import { ConfigError } from "../config/read.ts";
import { ensureSecrets } from "../config/secrets.ts";
import type { Environment } from "../config/variables.ts";
import type { Call, Run } from "./call.ts";
import { Misuse } from "./misuse.ts";

const DEFAULT = "manifold.yaml";

/** Variables with secrets of the installation itself; those not set are generated. */
const SECRETS = ["MANIFOLD_ADMIN_KEY", "MANIFOLD_SEAL", "MANIFOLD_SESSION_SECRET", "MANIFOLD_KEY"] as const;

interface Answers {
  store: string;
  port: string;
  url: string;
}

/** Writes a configuration with comments, and a file of its secrets, and overwrites neither. */
export const init: Run = async (call) => {
  const [file = DEFAULT] = call.words;
  if (!/\.ya?ml$/.test(file)) throw new Misuse(`${file}: the file is YAML: its name ends with .yaml`);
  const secretsFile = envFileOf(file);
  for (const path of [file, secretsFile])
    if (existsSync(path)) throw new ConfigError(`${path} is there already; init overwrites nothing`);
  const answers = await ask(call);
  const kept = keptSecrets(answers.store);
  const made: Environment = Object.fromEntries(
    SECRETS.filter((name) => !call.env[name]).map((name) => [
      name,
      kept[name] ?? randomBytes(32).toString("hex"),
    ]),
  );
  // A Postgres address contains a password.
  if (!answers.store.startsWith("sqlite:") && answers.store !== call.env.DATABASE_URL)
    made.DATABASE_URL = answers.store;
  const text = textOf(answers, call.env, secretsFile);
  parseDocument(readDocument(file, text), { ...call.env, ...made }, file);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    secretsFile,
    Object.entries(made)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
    { mode: 0o600, flag: "wx" },
  );
  writeFileSync(file, text, { flag: "wx" });
  if (call.options.json)
    call.print(
      JSON.stringify({
        file,
        secrets: secretsFile,
        providers: activatedProviders(call.env).map(([name]) => name),
      }),
    );
  else for (const line of nextSteps(file, secretsFile, call.env)) call.print(line);
  return 0;
};

/** The secrets that a start without a file stored next to this database: only they decrypt its keys. */
function keptSecrets(store: string): Environment {
  const file = join(dataFolder({ DATABASE_URL: store }), "secrets.json");
  if (!store.startsWith("sqlite:") || !existsSync(file)) return {};
  const { seal, session } = ensureSecrets(file);
  return { MANIFOLD_SEAL: seal, MANIFOLD_SESSION_SECRET: session };
}

const nextSteps = (file: string, secretsFile: string, env: Environment): string[] => {
  const rest = file === DEFAULT ? "" : ` --config ${file}`;
  return [
    `${file} and ${secretsFile} are written. The second one holds secrets: keep it, and show it to nobody.`,
    "",
    `${commandName(env)} doctor${rest}`,
    `${commandName(env)} start${rest}`,
  ];
};

/** The name by which the command was started. */
const commandName = ({ npm_lifecycle_event: event }: Environment): string =>
  event === "npx" ? "npx manifold-gateway" : event === "start" ? "npm start -s --" : "manifold";

/** The answers from options; without an option from a question on a terminal, else the default. */
async function ask({ options, env, ask: question }: Call): Promise<Answers> {
  const answer = async (option: string | undefined, text: string, otherwise: string): Promise<string> => {
    if (option !== undefined) return option;
    if (!question) return otherwise;
    return (await question(`${text}${otherwise ? ` [${otherwise}]` : ""}: `)).trim() || otherwise;
  };
  return {
    store: await answer(
      options.store,
      "Database, sqlite:FILE or postgres://…",
      env.DATABASE_URL ?? "sqlite:./data/manifold.db",
    ),
    port: await answer(options.port, "Port", env.PORT ?? "8787"),
    url: await answer(options.url, "Address that callers use, where it is another one", ""),
  };
}

/** The providers that the environment activates, with their variables. */
const activatedProviders = (env: Environment): [name: string, variable: string][] =>
  activePresets(env).map(({ id }) => {
    const { name = id, originVariable, keyVariable } = presets[id] ?? {};
    return [name, (originVariable && env[originVariable] ? originVariable : keyVariable) ?? ""];
  });

/** The presets for which the environment has a key or an identity, but which serve only if a file names them. */
const namedProviders = (env: Environment): [id: string, variable: string][] =>
  Object.entries(presets).flatMap(([id, { activation, keyVariable, identityVariable }]) => {
    const variable = [keyVariable, identityVariable].find((name) => name !== undefined && env[name]);
    return activation === "file" && variable !== undefined ? [[id, variable]] : [];
  });

/** A text as YAML can hold it. */
const quoted = (text: string): string => (/^[\w./:-]*[\w./-]$/.test(text) ? text : JSON.stringify(text));

function textOf({ store, port, url }: Answers, env: Environment, secretsFile: string): string {
  const found = activatedProviders(env);
  const providers =
    found.length > 0
      ? found.map(([name, variable]) => `#   ${name}, by ${variable}`)
      : [
          "#   none yet: set a vendor's variable, such as OPENAI_API_KEY, or OLLAMA_ORIGIN for a server of your own",
        ];
  return `# yaml-language-server: $schema=./manifold.schema.json
# The schema is written by: ${commandName(env)} schema > manifold.schema.json
# \${NAME} is taken from ${basename(secretsFile)} beside this file, or else from the environment.

server:
  host: 127.0.0.1            # 0.0.0.0 behind a proxy that speaks https
  port: ${quoted(port)}
  ${url ? `url: ${quoted(url)}` : "# url: https://ai.example.com     # the address that callers use, where it is another one"}
  adminKey: \${MANIFOLD_ADMIN_KEY}    # the operator's credential

store: ${store.startsWith("sqlite:") ? quoted(store) : `\${DATABASE_URL}`}
objects: file:./data/objects         # images, videos and speech; or s3:BUCKET?region=…

# Lose this one and stored keys cannot be shown again: it belongs to every backup.
keyEncryptionSecrets: ["\${MANIFOLD_SEAL}"]
sessions: { secret: "\${MANIFOLD_SESSION_SECRET}" }

# Providers whose variables are set need no line here. Their models are listed, at public prices:
${providers.join("\n")}
providers: {}
#  local: { protocol: chatstyle, origin: "http://127.0.0.1:8000/v1" }${namedProviders(env)
    .map(([id, variable]) => `\n#  ${id}: { preset: ${id} }     # ${variable} is set`)
    .join("")}

models: {}
#  my-model:
#    entries:
#      - { provider: local, name: my-model, price: { input: 1, output: 2 } }   # USD per million tokens

accounts:
  dev:
    balance: 100                     # USD, credited once
    keys: { dev: "\${MANIFOLD_KEY}" }
`;
}
