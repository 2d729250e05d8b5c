import { existsSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { ConfigError } from "./read.ts";
import type { Environment } from "./variables.ts";

/** The file names to look for if none is given. */
const FILES = ["manifold.json", "manifold.jsonc", "manifold.yaml", "manifold.yml"];

/** The sources that can name a command's configuration file. */
export interface ConfigSource {
  options: { config?: string };
  env: Environment;
}

const candidates = ({ options, env }: ConfigSource): string[] => {
  const named = options.config ?? env.MANIFOLD_CONFIG;
  return named === undefined ? FILES.filter((file) => existsSync(file)) : [named];
};

/** The configuration file of a command, if there is one. */
export function configFile(source: ConfigSource): string | undefined {
  const found = candidates(source);
  if (found.length > 1)
    throw new ConfigError(`there are ${found.join(" and ")}: name one with --config, or remove the others`);
  return found[0];
}

/** The file of variables that belongs to a configuration file. */
export const envFileOf = (config: string): string =>
  join(dirname(config), `${basename(config, extname(config))}.env`);

/** The file of variables: the named one, or one next to the configuration file if it exists. */
export function envFile(source: ConfigSource): string | undefined {
  if (source.env.MANIFOLD_ENV_FILE) return source.env.MANIFOLD_ENV_FILE;
  const [config, another] = candidates(source);
  if (config === undefined || another !== undefined) return undefined;
  const file = envFileOf(config);
  return existsSync(file) ? file : undefined;
}
