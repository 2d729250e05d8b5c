import { parseEnv } from "node:util";
import { type Environment, readText } from "./load.ts";

/**
 * The variables of a process with those of the file that `MANIFOLD_ENV_FILE` names, which go first: a running
 * process's own cannot be changed from outside, and a change of the file has to count.
 */
export function environmentOf(own: Environment): Environment {
  const file = own.MANIFOLD_ENV_FILE;
  if (!file) return own;
  const read = parseEnv(readText(file, "MANIFOLD_ENV_FILE"));
  return { ...own, ...read, MANIFOLD_ENV_FILE: file };
}
