import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
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

/** Every entry point with the values that it gives. */
export const doors = Object.entries(names);

export const runtimes = ["node22", "node24"];

/** The executable of a Node among the tools. */
export const nodeOf = ({ tools }: Fresh, name: string): string => {
  const manifest = createRequire(join(tools, "package.json")).resolve(`${name}/package.json`);
  return join(manifest, "../bin/node");
};

/** What a program of the fresh project writes. */
export function run({ project }: Fresh, program: string, ...words: string[]): string {
  return execFileSync(program, words, { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

export function write({ project }: Fresh, name: string, text: string): string {
  writeFileSync(join(project, name), text);
  return name;
}
