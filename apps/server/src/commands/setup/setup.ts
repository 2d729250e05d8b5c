import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import {
  type Agent,
  type AgentFile,
  agents,
  settingLines,
  shellLines,
  type Terms,
  termsAt,
} from "@manifold-gateway/console/agents";
import { readDocument } from "../../config/document.ts";
import { embeddedConfig, savedSecrets } from "../../config/embedded.ts";
import { membersOf } from "../../config/flatten.ts";
import { loadConfig } from "../../config/load.ts";
import { configFile } from "../../config/locate.ts";
import { ConfigError } from "../../config/read.ts";
import type { Config } from "../../config/schema.ts";
import type { Call, Run } from "../call.ts";
import { Misuse } from "../misuse.ts";

/** Prints an agent's settings for the gateway, or writes its files. No key is printed or written. */
export const setup: Run = async (call) => {
  const [word = ""] = call.words;
  const agent = Object.hasOwn(agents, word) ? agents[word] : undefined;
  if (!agent) throw new Misuse(`there is no agent '${word}'; known are ${Object.keys(agents).join(", ")}`);
  const terms = termsOf(call);
  const files = agent.files?.(terms) ?? [];
  if (call.options.json) call.print(JSON.stringify(toJson(agent, terms)));
  else if (!call.options.write) for (const line of describe(agent, terms)) call.print(line);
  if (!call.options.write) return 0;
  if (files.length === 0)
    throw new ConfigError(`${agent.name} has no file that could be written; run setup without --write`);
  // All texts are computed before any file is written, so that an error writes none.
  const written = files.map((file) => [pathOf(file, call), textOf(file, call)] as const);
  for (const [path, text] of written) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (!call.options.json) call.print(`written: ${path}`);
  }
  if (!call.options.json) for (const line of shellLines(agent, terms)) call.print(line);
  return 0;
};

const VARIABLE = /^[A-Za-z_]\w*$/;

function termsOf(call: Call): Terms {
  const { url, model, keyVariable = "MANIFOLD_KEY" } = call.options;
  if (!VARIABLE.test(keyVariable)) throw new Misuse("--key-variable is the name of an environment variable");
  if (url !== undefined && !/^https?:\/\/[^\s"'`$\\]+$/.test(url))
    throw new Misuse("--url is an address such as https://ai.example.com");
  // On another machine than the gateway's there is no configuration; the options replace it.
  const config = url === undefined || model === undefined ? configOf(call) : undefined;
  const origin = (url ?? config?.server.url ?? (config && addressOf(config)) ?? "").replace(
    /(?<!\/)\/+$/,
    "",
  );
  const name = model ?? (config && firstModel(config));
  if (name === undefined) throw new Misuse("--model names the model: the configuration has none");
  if (/["'`$\\\s]/.test(name)) throw new Misuse("--model is the id of a model, without spaces and quotes");
  return termsAt(origin, { model: name, key: keyVariable });
}

function configOf(call: Call): Config {
  const file = configFile(call);
  return file === undefined
    ? embeddedConfig("http://127.0.0.1", call.env, savedSecrets(call.env))
    : loadConfig(file, call.env);
}

const addressOf = ({ server: { host, port } }: Config): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`
    .replace("//0.0.0.0:", "//127.0.0.1:")
    .replace("//[::]:", "//[::1]:");

const firstModel = ({ models }: Config): string | undefined =>
  Object.entries(models).find(([, { active, output }]) => active && output.includes("text"))?.[0];

const pathOf = ({ path }: AgentFile, { env }: Call): string =>
  path.startsWith("~/") ? join(env.HOME ?? homedir(), path.slice(2)) : path;

/** The new text of a file: its present content with the settings added. */
function textOf(file: AgentFile, call: Call): string {
  const path = pathOf(file, call);
  const { content } = file;
  if (typeof content === "string") {
    if (existsSync(path))
      throw new ConfigError(`${path} is there already; add these lines to it:\n\n${content}`);
    return content;
  }
  if (!existsSync(path)) return `${JSON.stringify(content, null, 2)}\n`;
  const values = membersOf(content).map(([path, value]) => [[...path], value] as const);
  return readDocument(path).withValues(values);
}

const toJson = (agent: Agent, terms: Terms): object => ({
  name: agent.name,
  keyVariable: terms.key,
  model: terms.model,
  variables: agent.variables?.(terms) ?? {},
  files: agent.files?.(terms) ?? [],
  run: agent.run(terms),
});

const describe = (agent: Agent, terms: Terms): string[] => [
  `# ${agent.name} with the model ${terms.model}. The variable ${terms.key} has to hold a key of the gateway.`,
  "",
  ...settingLines(agent, terms),
];
