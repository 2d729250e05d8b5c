// Compares the Node that the dependencies bring along with the one that the Node project publishes. It is run by the
// Node that runs npm, so that what is judged does not judge itself. Plain JavaScript: that Node may be an old one.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = process.argv[2] ?? join(here, "..");
const published = JSON.parse(readFileSync(join(here, "node-checksums.json"), "utf8"));
const packages = new Set(Object.values(published).flatMap((version) => Object.keys(version)));

/** What is wrong with the Node of a package, in one sentence. */
function faultOf(name) {
  const folder = join(root, "node_modules", name);
  if (!existsSync(folder)) return undefined;
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const known = published[version]?.[name];
  if (!known) return `tools/node-checksums.json has no checksum of ${name} ${version}`;
  const file = join(folder, known.file);
  const found = createHash("sha256").update(readFileSync(file)).digest("hex");
  return found === known.sha256
    ? undefined
    : `${file} is not Node ${version} as the Node project publishes it: its SHA-256 is ${found}, not ${known.sha256}`;
}

for (const name of packages) {
  const fault = faultOf(name);
  if (fault === undefined) continue;
  process.stderr.write(`${fault}; see docs/operations.md, "The Node that runs it".\n`);
  process.exitCode = 1;
}
