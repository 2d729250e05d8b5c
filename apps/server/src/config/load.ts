import { crossCheck } from "./cross-check.ts";
import { type ConfigDocument, describePlace, readDocument } from "./document.ts";
import { checkValue } from "./findings.ts";
import { type Source, sourceOf } from "./origins.ts";
import { completePresets } from "./preset-terms.ts";
import { type Problem, problemAt } from "./problem.ts";
import { ConfigError } from "./read.ts";
import { type Config, configSchema } from "./schema.ts";
import { substitute } from "./substitute.ts";
import { namingVariables, typedVariables } from "./typed-variables.ts";
import type { Environment } from "./variables.ts";

/** A configuration as it was read. */
export interface Settings {
  config: Config;
  /** The environment from which it was completed, and which activates providers. */
  env: Environment;
  /** Absent: unknown. */
  source?: Source | undefined;
  /** The configuration as it was written, to which declarations are added. Absent: none can be. */
  document?: unknown;
}

/**
 * Loads a configuration file. `${NAME}` and `${NAME:-default}` are replaced from the environment, or from the file that
 * `NAME_FILE` names.
 */
export const loadConfig = (file: string, env: Environment): Config =>
  parseDocument(readDocument(file), env, file);

/** The same, with the origin of each setting. Its models may name providers that only the database has. */
export function loadWithSource(file: string, env: Environment): Settings & { source: Source } {
  const document = readDocument(file);
  const config = parseDocument(document, env, file, { isWhole: false });
  return { config, env, source: sourceOf(file, document, env), document: document.value };
}

/** Validates a configuration value. `source` names it in errors. */
export const parseConfig = (value: unknown, env: Environment, source = "configuration"): Config =>
  parseDocument({ value }, env, source);

/** Validates a configuration. Problems begin with their places in the file, if those are known. */
export function parseDocument(
  { value, placeOf }: Pick<ConfigDocument, "value"> & Partial<ConfigDocument>,
  env: Environment,
  source: string,
  options: CheckOptions = {},
): Config {
  const checked = checkDocument(value, env, options);
  if ("config" in checked) return checked.config;
  const describe = ({ path, line }: Problem): string =>
    placeOf ? `${describePlace(source, placeOf(path))}: ${line}` : line;
  throw new ConfigError(
    [`${source} cannot be used:`, ...checked.problems.map((problem) => `  ${describe(problem)}`)].join("\n"),
  );
}

interface CheckOptions {
  /** False if further providers may be declared elsewhere, so that unknown ones are no problem. Default: true. */
  isWhole?: boolean;
}

/** Completes a configuration by the environment, and returns it or its problems. */
export function checkDocument(
  value: unknown,
  env: Environment,
  { isWhole = true }: CheckOptions = {},
): { config: Config } | { problems: Problem[] } {
  const problems: Problem[] = [];
  const filled = typedVariables(value, substitute(value, env, problems), configSchema);
  // An unset variable is reported once: its missing value is not a second problem.
  const unset = new Set(problems.map(({ path }) => JSON.stringify(path)));
  const checked = checkValue(configSchema, filled);
  const found =
    "value" in checked
      ? [...crossCheck(checked.value, isWhole), ...completePresets(checked.value, env)]
      : checked.faults
          .map(({ path, text }) => problemAt(path, text))
          .filter(({ path }) => !unset.has(JSON.stringify(path)));
  problems.push(...found.map((problem) => namingVariables(problem, value)));
  return problems.length === 0 && "value" in checked ? { config: checked.value } : { problems };
}
