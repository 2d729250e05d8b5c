import { parseEnv } from "node:util";
import { type Environment, readText } from "./load.ts";

/**
 * The variables of a process with those of the file that `MANIFOLD_ENV_FILE` names, which go first: nobody can change a
 * running process's own, and what is changed in the file shall count.
 */
export function environmentOf(own: Environment): Environment {
  const file = own.MANIFOLD_ENV_FILE;
  if (!file) return own;
  const read = parseEnv(readText(file, "MANIFOLD_ENV_FILE"));
  return { ...own, ...read, MANIFOLD_ENV_FILE: file };
}
