// Makes the server's program after `npm ci` of a clone. An installation without the development dependencies cannot,
// and starts the sources.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";

function isInstalled(name) {
  try {
    return Boolean(createRequire(import.meta.url).resolve(name));
  } catch {
    return false;
  }
}

if (isInstalled("vite"))
  execFileSync(process.execPath, [join(import.meta.dirname, "bundle.ts")], { stdio: "inherit" });
