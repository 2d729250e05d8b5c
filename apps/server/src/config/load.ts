import type { KnownNames } from "@manifold-gateway/core/capability";
import { presets } from "@manifold-gateway/providers";
import { z } from "zod";
import { problemsOfProcesses } from "../processes/count.ts";
import { toList } from "./build.ts";
import { findingsOf } from "./findings.ts";
import { type Source, sourceOf } from "./origins.ts";
import { ConfigError, readText } from "./read.ts";
import { renameKeys } from "./renamed.ts";
import { type Config, configSchema } from "./schema.ts";
import { type Environment, VARIABLE, variableOf } from "./variables.ts";

/**
 * The configuration in a file, with `${NAME}` and `${NAME:-default}` taken from the environment, or from the file that
 * `NAME_FILE` names.
 */
export const loadConfig = (file: string, env: Environment, warn?: Warn): Config =>
  loadWithSource(file, env, warn).config;

/** The same, with where each setting stands. */
export function loadWithSource(
  file: string,
  env: Environment,
  warn?: Warn,
): { config: Config; source: Source } {
  const text = readText(file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`${file}: not valid JSON: ${(error as Error).message}`);
  }
  return { config: parseConfig(value, env, file, warn), source: sourceOf(file, text, value, env) };
}

/** Called with each sentence about a configuration that can be used, and should be changed. */
export type Warn = (sentence: string) => void;
const toStderr: Warn = (sentence) => void process.stderr.write(`${sentence}\n`);

/** A configuration value, checked. `source` names it in errors and warnings. */
export function parseConfig(
  value: unknown,
  env: Environment,
  source = "configuration",
  warn: Warn = toStderr,
): Config {
  const problems: string[] = [];
  const filled = substitute(value, env, "", problems);
  const renaming = renameKeys(filled);
  for (const warning of renaming.warnings) warn(`${source}: ${warning}`);
  problems.push(...renaming.problems);
  const parsed = configSchema.safeParse(filled);
  if (!parsed.success)
    problems.push(
      ...findingsOf(
        parsed.error.issues,
        z.toJSONSchema(configSchema, { io: "input", reused: "inline" }) as KnownNames,
      ),
    );
  else problems.push(...crossCheck(parsed.data));
  if (problems.length > 0 || !parsed.success)
    throw new ConfigError(
      [`${source} cannot be used:`, ...problems.map((problem) => `  ${problem}`)].join("\n"),
    );
  return withUsualKeys(parsed.data, env);
}

/** A provider of a preset finds its key where the preset's vendor says that it is kept, unless the file has one. */
function withUsualKeys(config: Config, env: Environment): Config {
  for (const provider of Object.values(config.providers)) {
    const variable = provider.preset === undefined ? undefined : presets[provider.preset]?.keyVariable;
    const key = variable === undefined ? undefined : env[variable];
    if (key) provider.key ??= key;
  }
  return config;
}

function substitute(value: unknown, env: Environment, path: string, problems: string[]): unknown {
  if (typeof value === "string")
    return value.replace(VARIABLE, (_, name: string, fallback: string | undefined) => {
      try {
        const found = variableOf(env, name) || fallback;
        if (found === undefined) problems.push(`${path}: the environment variable ${name} is not set`);
        return found ?? "unset-variable";
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        problems.push(`${path}: ${error.message}`);
        return "unset-variable";
      }
    });
  const inside = (key: string | number): string => (path === "" ? `${key}` : `${path}.${key}`);
  if (Array.isArray(value)) return value.map((item, i) => substitute(item, env, inside(i), problems));
  if (typeof value !== "object" || value === null) return value;
  // The schema would pass over it without a word.
  if (Object.hasOwn(value, "__proto__"))
    problems.push(`${inside("__proto__")}: is a name that every object has`);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, substitute(item, env, inside(key), problems)]),
  );
}

/** A name of two models would be the one or the other by chance. */
function aliasProblems({ models }: Config): string[] {
  const problems: string[] = [];
  const taken = new Map<string, string>();
  for (const [id, { aliases = [] }] of Object.entries(models))
    for (const [i, alias] of aliases.entries()) {
      const at = `models.${id}.aliases.${i}`;
      const other = taken.get(alias);
      if (models[alias]) problems.push(`${at}: '${alias}' is the id of a model`);
      else if (other !== undefined) problems.push(`${at}: '${alias}' is an alias of '${other}' already`);
      taken.set(alias, id);
    }
  return problems;
}

/** Checks that no single field can make: names that refer to each other. */
function crossCheck(config: Config): string[] {
  const problems = problemsOfProcesses(config);
  if (config.server.adminKey !== undefined && config.server.adminKeys.operator !== undefined)
    problems.push("server.adminKeys.operator: that is the name of server.adminKey; give this one another");
  config.telemetry.traces?.propagateTo.forEach((provider, i) => {
    if (!config.providers[provider] && !presets[provider])
      problems.push(`telemetry.traces.propagateTo.${i}: no provider '${provider}'`);
  });
  for (const [id, { concurrency, preset, protocol, serves }] of Object.entries(config.providers)) {
    const known = preset === undefined ? undefined : presets[preset];
    const isText = protocol !== undefined || (known?.speaks.length ?? 0) > 0;
    if (concurrency && !isText && !(serves ?? known?.serves)?.embed)
      problems.push(
        `providers.${id}.concurrency: limits text and embeddings, and this provider serves neither`,
      );
  }
  problems.push(...aliasProblems(config));
  const keys = new Map<string, string>();
  for (const [id, model] of Object.entries(config.models))
    model.entries.forEach((entry, i) => {
      const provider = config.providers[entry.provider];
      if (!provider) {
        const known = Object.keys(config.providers).join(", ") || "none";
        problems.push(
          `models.${id}.entries.${i}.provider: no provider '${entry.provider}'; known are ${known}`,
        );
      } else if (entry.protocol !== undefined) {
        const { preset, protocol } = provider;
        const spoken = toList(protocol ?? presets[preset ?? ""]?.speaks ?? []);
        const other = toList(entry.protocol).find((one) => !spoken.includes(one));
        if (other !== undefined)
          problems.push(
            `models.${id}.entries.${i}.protocol: '${entry.provider}' does not speak ${other}; it speaks ${spoken.join(", ") || "none"}`,
          );
      }
    });
  for (const [id, account] of Object.entries(config.accounts))
    for (const [name, value] of Object.entries(account.keys)) {
      const raw = typeof value === "string" ? value : value.key;
      const where = `accounts.${id}.keys.${name}`;
      const other = keys.get(raw);
      if (other) problems.push(`${where}: the same key as ${other}`);
      keys.set(raw, where);
    }
  return problems;
}
