import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const FILE = join(root, "test/repository/public-names.json");

interface Manifest {
  name: string;
  exports: Record<string, unknown>;
}

const manifests = readdirSync(join(root, "packages")).map(
  (folder) => JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8")) as Manifest,
);
const doors = manifests.flatMap(({ name, exports }) =>
  Object.keys(exports)
    .filter((door) => door !== "./package.json")
    .map((door) => (door === "." ? name : `${name}/${door.slice(2)}`)),
);

/** What programs can import as values, by entry point. A change here is one that people who build on it will meet. */
it("the public names are those that are written down (UPDATE_DOCS=1 writes them anew)", async () => {
  const names: Record<string, string[]> = {};
  for (const door of doors.sort()) names[door] = Object.keys(await import(door)).sort();
  if (process.env.UPDATE_DOCS) writeFileSync(FILE, `${JSON.stringify(names, null, 2)}\n`);
  expect(names).toEqual(JSON.parse(readFileSync(FILE, "utf8")));
});

it("the main entry point of the core is small", async () => {
  expect(Object.keys(await import("@manifold-gateway/core")).length).toBeLessThanOrEqual(30);
});
