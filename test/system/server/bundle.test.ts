import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BARE } from "../../support/environment.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PROGRAM = join(ROOT, "apps/server/program");

let folder: string;
const run = (...words: string[]): string =>
  execFileSync(process.execPath, words, { cwd: folder, env: BARE, encoding: "utf8" });

describe("the bundled server", () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "manifold-bundle-"));
    run(join(ROOT, "tools/bundle.ts"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("the bundle answers as the sources do, and knows its version", () => {
    const main = join(PROGRAM, "main.js");
    run(
      join(ROOT, "tools/try-service.mjs"),
      "--console",
      "--",
      process.execPath,
      "--conditions=manifold",
      main,
    );
    const { version } = JSON.parse(readFileSync(join(ROOT, "apps/server/package.json"), "utf8"));
    expect(run("--conditions=manifold", main, "--version").trim()).toBe(version);
  });

  it("every thread's file stands beside the file that starts it", () => {
    const code = globSync("*.js", { cwd: PROGRAM }).map((name) => readFileSync(join(PROGRAM, name), "utf8"));
    const named = code.flatMap((text) => [
      ...text.matchAll(/new URL\("\.\/([\w-]+)\.ts", import\.meta\.url\)/g),
    ]);
    const threads = new Set(named.map(([, name]) => `${name}.js`));
    expect([...threads].sort()).toEqual([
      "checkpoint-thread.js",
      "heartbeat-thread.js",
      "reader-thread.js",
      "worker.js",
    ]);
    expect([...threads].filter((name) => !existsSync(join(PROGRAM, name)))).toEqual([]);
  });
});
