import type { KnownNames } from "@manifold-gateway/core/capability";
import { presets } from "@manifold-gateway/providers";
import { z } from "zod";
import { crossCheck } from "./cross-check.ts";
import { type ConfigDocument, readDocument, sayPlace } from "./document.ts";
import { findingsOf } from "./findings.ts";
import { type Source, sourceOf } from "./origins.ts";
import type { Problem } from "./problem.ts";
import { ConfigError } from "./read.ts";
import { renameKeys } from "./renamed.ts";
import { type Config, configSchema } from "./schema.ts";
import { substitute } from "./substitute.ts";
import type { Environment } from "./variables.ts";

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
  const document = readDocument(file);
  return { config: parseDocument(document, env, file, warn), source: sourceOf(file, document, env) };
}

/** Called with each sentence about a configuration that can be used, and should be changed. */
export type Warn = (sentence: string) => void;
export const toStderr: Warn = (sentence) => void process.stderr.write(`${sentence}\n`);

/** A configuration value, checked. `source` names it in errors and warnings. */
export const parseConfig = (
  value: unknown,
  env: Environment,
  source = "configuration",
  warn?: Warn,
): Config => parseDocument({ value }, env, source, warn);

/** A configuration with its places, where they are known: they stand before what is wrong there. */
export function parseDocument(
  { value, placeOf }: Pick<ConfigDocument, "value"> & Partial<ConfigDocument>,
  env: Environment,
  source: string,
  warn: Warn = toStderr,
): Config {
  const problems: Problem[] = [];
  const filled = substitute(value, env, problems);
  // What a variable that is not set should have been is no second problem.
  const unset = new Set(problems.map(({ path }) => JSON.stringify(path)));
  const renaming = renameKeys(filled);
  for (const { path, line } of renaming.warnings)
    warn(`${placeOf ? sayPlace(source, placeOf(path)) : source}: ${line}`);
  problems.push(...renaming.problems);
  const parsed = configSchema.safeParse(filled);
  if (!parsed.success)
    problems.push(
      ...findingsOf(
        parsed.error.issues,
        z.toJSONSchema(configSchema, { io: "input", reused: "inline" }) as KnownNames,
      ).filter(({ path }) => !unset.has(JSON.stringify(path))),
    );
  else problems.push(...crossCheck(parsed.data));
  const say = ({ path, line }: Problem): string =>
    placeOf ? `${sayPlace(source, placeOf(path))}: ${line}` : line;
  if (problems.length > 0 || !parsed.success)
    throw new ConfigError(
      [`${source} cannot be used:`, ...problems.map((problem) => `  ${say(problem)}`)].join("\n"),
    );
  return withUsualKeys(parsed.data, env);
}

/** A provider of a preset finds its key where the preset's vendor says that it is kept, unless the file has one. */
function withUsualKeys(config: Config, env: Environment): Config {
  for (const provider of Object.values(config.providers)) {
    const variable = provider.preset === undefined ? undefined : presets[provider.preset]?.keyVariable;
    const key = variable === undefined ? undefined : env[variable];
    const isKeyed = !provider.auth || !("kind" in provider.auth);
    if (key && isKeyed) provider.key ??= key;
  }
  return config;
}
