import { parseEnv } from "node:util";
import { envFile } from "./locate.ts";
import { readText } from "./read.ts";
import { type Environment, withSecrets } from "./variables.ts";

/**
 * The variables of a process, overridden by those of the file that `MANIFOLD_ENV_FILE` names or that is next to the
 * configuration file. The file wins because it can be changed while the process runs. Secrets given as files are read
 * here, so that each reload reads them again.
 */
export function environmentOf(processEnv: Environment, config?: string): Environment {
  const file = envFile({ options: config === undefined ? {} : { config }, env: processEnv });
  if (file === undefined) return withSecrets(processEnv);
  const read = parseEnv(
    readText(file, processEnv.MANIFOLD_ENV_FILE ? "MANIFOLD_ENV_FILE" : "the file of variables"),
  );
  return withSecrets({ ...processEnv, ...read, MANIFOLD_ENV_FILE: file });
}
