// Names the packages that only some services need, as the lockfile has them, for `npm install --no-save` in a clone.
// Words choose: `node tools/peers.mjs @aws-sdk` names those of that scope. Plain JavaScript: no package is there yet.
import { readFileSync } from "node:fs";

const { packages } = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));
const scopes = process.argv.slice(2);
const names = Object.entries(packages)
  .filter(([place]) => !place.includes("node_modules"))
  .flatMap(([, { peerDependenciesMeta = {} }]) => Object.keys(peerDependenciesMeta))
  // A clone has the packages of its own workspaces.
  .filter((name) => !packages[`node_modules/${name}`].link);
const wanted = [...new Set(names)].filter(
  (name) => scopes.length === 0 || scopes.some((scope) => name.startsWith(`${scope}/`)),
);
process.stdout.write(
  `${wanted.map((name) => `${name}@${packages[`node_modules/${name}`].version}`).join(" ")}\n`,
);
