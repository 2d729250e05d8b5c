import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, inject } from "vitest";
import names from "../repository/public-names.json" with { type: "json" };
import type { Fresh } from "./fresh.ts";

const given = inject("fresh");

/** What a file of tests is about, where the packages could be installed. */
export function describeFresh(title: string, body: (fresh: Fresh) => void): void {
  if ("why" in given) describe.skip(`${title}${given.why}`, () => {});
  else describe(title, () => body(given));
}

/** The same for what only the whole suite installs. */
export function describeWhole(title: string, body: (fresh: Required<Fresh>) => void): void {
  describeFresh(title, ({ whole, ...fresh }) => {
    if (whole === undefined) throw new Error(`${title}: not a part of the short suite`);
    body({ ...fresh, whole });
  });
}

/** Every entry point with the names of the values and of the types that it exports. */
export const doors = Object.entries(names);

/** What a program of the fresh project writes. */
export function run({ project }: Fresh, program: string, ...words: string[]): string {
  return execFileSync(program, words, { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

export function write({ project }: Fresh, name: string, text: string): string {
  writeFileSync(join(project, name), text);
  return name;
}

/** The settings of a user who reads the types of dependencies as well, and has none of browsers. */
const STRICT = [
  "--noEmit",
  "--strict",
  "--exactOptionalPropertyTypes",
  ...["--target", "es2023", "--types", "node", "--lib", "es2023", "--skipLibCheck", "false"],
];

/** What a compiler says of files of the fresh project; nothing where they are sound. */
export function compile(fresh: Fresh, compiler: string, ...words: string[]): string {
  const node = Object.values(fresh.nodes).at(-1) ?? process.execPath;
  try {
    return run(fresh, node, compiler, ...STRICT, ...words);
  } catch (error) {
    return String((error as { stdout: string }).stdout);
  }
}
