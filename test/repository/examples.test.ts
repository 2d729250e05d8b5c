import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, it } from "vitest";

const folder = resolve(import.meta.dirname, "../../examples");

const programs = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (file) => /^[^/\\]+\.ts$|[/\\]main\.ts$/.test(file) && !/node_modules|support/.test(file),
);

/**
 * Runs programs one after the other in one process: most of what a program takes is loading the packages. It is a
 * file, since threads would inherit an option that names its text.
 */
const RUNNER = `
const [folder, ...files] = process.argv.slice(2);
for (const file of files) {
  try {
    await import(new URL(file, folder));
    console.log("RAN " + file);
  } catch (error) {
    console.log("FAILED " + file, error);
  }
}
`;

let output: string;
beforeAll(async () => {
  const made = mkdtempSync(join(tmpdir(), "manifold-examples-"));
  const runner = join(made, "run.mjs");
  writeFileSync(runner, RUNNER);
  const args = ["--conditions=manifold", runner, pathToFileURL(`${folder}/`).href, ...programs];
  output = await new Promise<string>((done) => {
    execFile(process.execPath, args, { timeout: 100_000 }, (error, out, errors) =>
      done(`${out}${errors}${error ? `the process failed: ${error.message}` : ""}`),
    );
  });
  rmSync(made, { recursive: true });
});

it.each(programs)("%s runs by itself", (file) => {
  expect(output).toContain(`RAN ${file}\n`);
});

it("the process of the examples ends by itself, without an error", () => {
  expect(output).not.toContain("the process failed");
});
