import { parseEnv } from "node:util";
import { readText } from "./read.ts";
import { type Environment, withSecrets } from "./variables.ts";

/**
 * The variables of a process with those of the file that `MANIFOLD_ENV_FILE` names, which go first: a running
 * process's own cannot be changed from outside, and a change of the file has to count. Secrets that are given as
 * files are read here, so that each reload reads them again.
 */
export function environmentOf(own: Environment): Environment {
  const file = own.MANIFOLD_ENV_FILE;
  if (!file) return withSecrets(own);
  const read = parseEnv(readText(file, "MANIFOLD_ENV_FILE"));
  return withSecrets({ ...own, ...read, MANIFOLD_ENV_FILE: file });
}
