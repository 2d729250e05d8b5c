import { presets } from "@manifold-gateway/providers";
import { ConfigError, readText } from "./read.ts";

export type Environment = Record<string, string | undefined>;

/** How a configuration names a variable: `${NAME}`, or `${NAME:-default}`. */
export const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The names of the variables in a text. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(VARIABLE)].map(([, name = ""]) => name)),
];

/** Variables that the service reads by itself and that hold secrets, beside the keys of presets. */
const SECRETS = ["DATABASE_URL", "MANIFOLD_ADMIN_KEY", "MANIFOLD_DEV_KEY", "MANIFOLD_DEV_PASSWORD"] as const;

/** Names a file of variables: it is not the file of a variable `MANIFOLD_ENV`. */
const ENV_FILE = "MANIFOLD_ENV_FILE";

/**
 * A variable, or what is in the file that `NAME_FILE` names: orchestrators hand secrets over in files, which no list
 * of processes and no crash report shows.
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

/** An environment in which the secrets that the service reads by itself have been taken from their files. */
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
