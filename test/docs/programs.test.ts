import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placeOf, snippets } from "./pages.ts";
import { MADE, typeErrors, writePrograms } from "./programs.ts";
import { type Served, serve } from "./server.ts";

/** One process that runs the module after each other: most of what a program takes is loading the packages. */
const RUNNER = `
for (const file of process.argv.slice(2)) {
  try { await import("./" + file); console.log("RAN " + file); }
  catch (error) { console.log("FAILED " + file, error); }
}
setTimeout(() => process.exit(), 500);
`;

const run = (command: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((done) => {
    execFile(command, args, { cwd: MADE, env, timeout: 100_000 }, (error, out, errors) =>
      done(`${out}${errors}${error && !out && !errors ? error.message : ""}`),
    );
  });

describe("programs on the pages", () => {
  let served: Served;
  let files: string[];
  let output: string;
  let types: string[];
  beforeAll(async () => {
    served = await serve();
    const programs = writePrograms((text) =>
      text.replaceAll("http://127.0.0.1:8787", served.origin).replaceAll("8787", "0"),
    );
    files = programs.map(({ file }) => file);
    writeFileSync(join(MADE, "run.mjs"), RUNNER);
    const ran = run(process.execPath, ["--conditions=manifold", "run.mjs", ...files], {
      ...served.env,
      KEY: served.key,
    });
    types = typeErrors(files);
    output = await ran;
  });
  afterAll(async () => {
    await served?.close();
    rmSync(MADE, { recursive: true, force: true });
  });

  it.each(snippets.filter(({ language }) => language === "ts").map(placeOf))(
    "%s has the right types and runs",
    (place) => {
      const file = `${place.replaceAll(/[^\w]+/g, "-")}.ts`;
      expect(types.filter((line) => line.startsWith(file))).toEqual([]);
      expect(output).toContain(`RAN ${file}`);
    },
  );

  it("have no other errors of types", () => expect(types).toEqual([]));
});
