// Generates the types of the API and builds the pages after `npm ci` of a clone: the compiler needs the first, a start
// the second. An installation without the development dependencies can do neither, and serves the pages that an earlier
// one has built.
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";

const { resolve } = createRequire(import.meta.url);
const { devDependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

// All of them, since another package may bring the bundler alone.
const isInstalled = (name) => resolve.paths(name).some((folder) => existsSync(join(folder, name)));

if (Object.keys(devDependencies).every(isInstalled)) {
  const { build } = await import("vite");
  const types = join(import.meta.dirname, "api-types.ts");
  await Promise.all([
    promisify(execFile)(process.execPath, ["--conditions=manifold", types]),
    build({ root: new URL("../web", import.meta.url).pathname, logLevel: "warn" }),
  ]);
}
