import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
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
    const namesIn = (form: RegExp) =>
      code.flatMap((text) => [...text.matchAll(form)].map(([, name]) => name));
    const threads = new Set([
      ...namesIn(/new URL\("\.\/([\w-]+)\.ts", import\.meta\.url\)/g).map((name) => `${name}.js`),
      ...namesIn(/threadFile\("([\w-]+)"\)/g).map((name) => `${name}-thread.js`),
    ]);
    expect([...threads].sort()).toEqual([
      "checkpoint-thread.js",
      "heartbeat-thread.js",
      "reader-thread.js",
      "worker.js",
    ]);
    expect([...threads].filter((name) => !existsSync(join(PROGRAM, name)))).toEqual([]);
  });

  it("npm start runs the program until one of its sources changes or is gone, then the sources", () => {
    const put = (name: string, text: string): string => {
      const file = join(folder, name);
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, text);
      return file;
    };
    const start = (): string => run(join(folder, "tools/start.mjs"), "--one", "two").trim();
    const say = (what: string): string => `console.log("${what}", ...process.argv.slice(2));`;
    put("package.json", '{ "type": "module" }');
    const source = put("apps/server/src/main.ts", say("sources"));
    mkdirSync(join(folder, "tools"));
    copyFileSync(join(ROOT, "tools/start.mjs"), join(folder, "tools/start.mjs"));
    expect(start()).toBe("sources --one two");

    put("apps/server/program/main.js", say("program"));
    const sources = { "apps/server/src/main.ts": statSync(source).mtimeMs };
    put("apps/server/program/sources.json", JSON.stringify(sources));
    expect(start()).toBe("program --one two");
    put("apps/server/program/sources.json", JSON.stringify({ ...sources, "apps/server/src/gone.ts": 1 }));
    expect(start()).toBe("sources --one two");
    put("apps/server/program/sources.json", JSON.stringify(sources));
    utimesSync(source, new Date(), new Date(sources["apps/server/src/main.ts"] + 1_000));
    expect(start()).toBe("sources --one two");
  });

  it("the bundle names every module that it is made of, with the time of its last change", () => {
    const sources: Record<string, number> = JSON.parse(readFileSync(join(PROGRAM, "sources.json"), "utf8"));
    expect(Object.keys(sources)).toEqual(
      expect.arrayContaining([
        "package-lock.json",
        "apps/server/src/main.ts",
        "packages/store/src/engine/checkpoint-thread.ts",
        "packages/core/src/index.ts",
      ]),
    );
    for (const [file, at] of Object.entries(sources))
      expect(statSync(join(ROOT, file)).mtimeMs, file).toBe(at);
  });
});
