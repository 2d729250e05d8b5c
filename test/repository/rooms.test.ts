import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
/** The most files at a package's root, its entry points among them: the others have rooms. */
const MOST_LOOSE = 10;

const packages = ["packages", "apps"].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
);

const entriesOf = (path: string) => readdirSync(join(ROOT, path, "src"), { withFileTypes: true });

/** The part of the page about a package, which begins with its name in a heading. */
const sectionOf = (path: string): string =>
  page.split(/^### /m).find((section) => section.split("\n", 1)[0]!.includes(`\`${path}\``)) ?? "";

test.each(packages)("the root of %s has few files besides its rooms", (path) => {
  const loose = entriesOf(path).filter((entry) => entry.isFile() && entry.name.endsWith(".ts"));
  const entries = Object.keys(
    (JSON.parse(readFileSync(join(ROOT, path, "package.json"), "utf8")) as { exports?: object }).exports ??
      {},
  ).length;
  expect(loose.length).toBeLessThanOrEqual(MOST_LOOSE + entries);
});

test.each(packages)("CONTRIBUTING.md describes every room of %s, and no other", (path) => {
  const rooms = entriesOf(path).filter((entry) => entry.isDirectory());
  const listed = [...sectionOf(path).matchAll(/`(\w[\w-]*)\/`/g)].map(([, name]) => name);
  const isListed = (room: string): boolean => listed.includes(room);
  expect(rooms.map(({ name }) => name).filter((name) => !isListed(name))).toEqual([]);
  const names = new Set(rooms.map(({ name }) => name));
  const other = listed.filter((name) => !names.has(name!) && name !== "shapes" && name !== "web");
  expect(other).toEqual([]);
});
