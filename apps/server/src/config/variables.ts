import { presets } from "@manifold-gateway/providers";
import { ConfigError, readText } from "./read.ts";

export type Environment = Record<string, string | undefined>;

/** A variable in a configuration: `${NAME}`, or `${NAME:-default}`. */
export const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The names of the variables in a text. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(VARIABLE)].map(([, name = ""]) => name)),
];

/** Variables with secrets that the service reads by itself, in addition to the keys of presets. */
export const SECRETS: readonly string[] = [
  "DATABASE_URL",
  "MANIFOLD_ADMIN_KEY",
  "MANIFOLD_DEV_KEY",
  "MANIFOLD_DEV_PASSWORD",
];

/** Names a file of variables. It is an exception: not the file with the value of `MANIFOLD_ENV`. */
const ENV_FILE = "MANIFOLD_ENV_FILE";

/**
 * A variable, or the content of the file that `NAME_FILE` names. Orchestrators provide secrets as files, because lists
 * of processes and crash reports show variables.
 */
export function variableOf(env: Environment, name: string): string | undefined {
  const fileName = `${name}_FILE`;
  const file = fileName === ENV_FILE ? undefined : env[fileName];
  if (!file) return env[name];
  if (env[name]) throw new ConfigError(`${name} and ${fileName} are both set; set one of them`);
  const value = readText(file, fileName).replace(/\r?\n$/, "");
  if (value === "") throw new ConfigError(`${fileName}: ${file}: the file is empty`);
  return value;
}

/** An environment with the secrets that the service reads by itself filled in from their files. */
export function withSecrets(env: Environment): Environment {
  const filled = { ...env };
  const keys = Object.values(presets).flatMap(({ keyVariable }) => keyVariable ?? []);
  for (const name of new Set([...SECRETS, ...keys])) {
    const value = variableOf(env, name);
    if (value !== undefined) filled[name] = value;
    delete filled[`${name}_FILE`];
  }
  return filled;
}
