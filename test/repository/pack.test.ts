import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
let clone: string;

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(clone, path)), { recursive: true });
  writeFileSync(join(clone, path), text);
};

const pack = (build: string) => {
  write("package.json", JSON.stringify({ private: true, type: "module", scripts: { build } }));
  return spawnSync(process.execPath, ["tools/pack.ts"], { cwd: clone, encoding: "utf8" });
};

/** A clone of one package, which an earlier run has built and packed. */
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "manifold-clone-"));
  cpSync(join(ROOT, "tools"), join(clone, "tools"), { recursive: true });
  mkdirSync(join(clone, "apps"));
  write("LICENSE", "");
  write(
    "packages/one/package.json",
    JSON.stringify({
      name: "one",
      version: "1.0.0",
      homepage: "https://example.com/tree/main/packages/one#readme",
      files: ["dist"],
      exports: { ".": "./dist/here.js" },
      publishConfig: { access: "public", directory: "../../dist/one" },
    }),
  );
  write("packages/one/README.md", "");
  write("packages/one/src/here.ts", "");
  for (const name of ["here.js", "here.d.ts", "gone.js", "gone.d.ts", "web/assets/page.js"])
    write(`packages/one/dist/${name}`, name);
  write("dist/tarballs/one-0.9.0.tgz", "");
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

describe("npm run pack", () => {
  it("leaves what earlier runs have made where the build fails", () => {
    expect(pack("exit 1").status).not.toBe(0);
    for (const kept of ["packages/one/dist/here.js", "packages/one/dist/web/assets/page.js"])
      expect(existsSync(join(clone, kept)), kept).toBe(true);
    expect(existsSync(join(clone, "dist/tarballs/one-0.9.0.tgz"))).toBe(true);
  });

  it("publishes what is compiled from present sources and the pages, and replaces earlier tarballs", () => {
    const { status, stderr } = pack("true");
    expect(status, stderr).toBe(0);
    const { stdout } = spawnSync("tar", ["-tzf", join(clone, "dist/tarballs/one-1.0.0.tgz")], {
      encoding: "utf8",
    });
    expect(stdout.match(/(?<=package\/dist\/).*/g)?.sort()).toEqual([
      "here.d.ts",
      "here.js",
      "web/assets/page.js",
    ]);
    expect(existsSync(join(clone, "dist/tarballs/one-0.9.0.tgz"))).toBe(false);
    expect(readFileSync(join(clone, "dist/one/dist/here.js"), "utf8")).toBe("here.js");
  });
});
