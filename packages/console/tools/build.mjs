// Builds the pages after `npm ci` of a clone, so that the first start has them. An installation without the
// development dependencies cannot build them, and serves what an earlier one has built.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const { resolve } = createRequire(import.meta.url);
const { devDependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

// All of them, since another package may bring the bundler alone.
const isInstalled = (name) => resolve.paths(name).some((folder) => existsSync(join(folder, name)));

if (Object.keys(devDependencies).every(isInstalled)) {
  const { build } = await import("vite");
  await build({ root: new URL("../web", import.meta.url).pathname, logLevel: "warn" });
}
