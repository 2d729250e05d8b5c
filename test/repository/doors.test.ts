import { globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { exportedNames } from "../support/exported-names.ts";

const root = join(import.meta.dirname, "../..");
const FILE = join(root, "test/repository/public-names.json");

interface Manifest {
  name: string;
  exports: Record<string, string | { manifold: string }>;
}

interface Names {
  values: string[];
  types: string[];
}

const sources = readdirSync(join(root, "packages")).flatMap((folder) => {
  const path = join(root, "packages", folder);
  const { name, exports } = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Manifest;
  return Object.entries(exports).flatMap(([door, target]) =>
    typeof target === "string"
      ? []
      : filesOf(path, target.manifold).map(([part, file]) => [join(name, door.replace("*", part)), file]),
  ) as [door: string, source: string][];
});

/** The files of a target, each with what stands for its `*`, if it has one. */
function filesOf(path: string, target: string): [part: string, file: string][] {
  const [before = "", after = ""] = join(path, target).split("*");
  const files = globSync(target, { cwd: path }).map((file) => join(path, file));
  return files.map((file) => [file.slice(before.length, file.length - after.length), file]);
}

async function namesOf(door: string, source: string): Promise<Names> {
  const values = Object.keys(await import(door)).sort();
  const types = exportedNames(source).filter((name) => !values.includes(name));
  return { values, types: types.sort() };
}

/** What programs can import, by entry point. A change here is one that people who build on it will meet. */
it("the public names are those that are written down (UPDATE_DOCS=1 writes them anew)", async () => {
  const names: Record<string, Names> = {};
  for (const [door, source] of sources.sort()) names[door] = await namesOf(door, source);
  if (process.env.UPDATE_DOCS) writeFileSync(FILE, `${JSON.stringify(names, null, 2)}\n`);
  expect(names).toEqual(JSON.parse(readFileSync(FILE, "utf8")));
});

it("the main entry point of the core is small", async () => {
  expect(Object.keys(await import("@manifold-gateway/core")).length).toBeLessThanOrEqual(30);
});
