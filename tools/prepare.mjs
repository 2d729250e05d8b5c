// Makes what a clone needs beside its sources, after `npm ci`: the compiler needs the types of the API, a start the
// console's pages and the server's program. An installation without the development dependencies can make none of them:
// it starts the sources, and serves the pages that an earlier one has built.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const pages = join(root, "packages/console");
const { resolve } = createRequire(join(pages, "package.json"));
const { devDependencies } = JSON.parse(readFileSync(join(pages, "package.json"), "utf8"));

// All of them, since another package may bring the bundler alone.
const isInstalled = (name) => resolve.paths(name).some((folder) => existsSync(join(folder, name)));

if (Object.keys(devDependencies).every(isInstalled))
  for (const program of [join(pages, "tools/build.mjs"), join(root, "tools/bundle.ts")])
    execFileSync(process.execPath, [program], { stdio: "inherit" });
