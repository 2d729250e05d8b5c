import { existsSync } from "node:fs";
import { join, relative } from "node:path";

/** A file that the compiler writes, and the source from which it does. */
const COMPILED = /^dist\/(?!web\/)(.*?)(?:\.d)?\.[jt]s$/;

/** False for a file that an earlier build made from a source that is gone; the build leaves it in place. */
export function isCurrent(folder: string, file: string): boolean {
  const [, name] = COMPILED.exec(relative(folder, file).replaceAll("\\", "/")) ?? [];
  return name === undefined || existsSync(join(folder, "src", `${name}.ts`));
}
