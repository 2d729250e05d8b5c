// Generates the types of the API, and builds the pages.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";

const types = join(import.meta.dirname, "api-types.ts");
await Promise.all([
  promisify(execFile)(process.execPath, ["--conditions=manifold", types]),
  build({ root: new URL("../web", import.meta.url).pathname, logLevel: "warn" }),
]);
