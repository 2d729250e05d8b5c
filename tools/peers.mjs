// Names the packages that only some services need, as the lockfile has them, for `npm install --no-save` in a clone.
// Words choose: `node tools/peers.mjs @aws-sdk` names those of that scope. Plain JavaScript: no package is there yet.
import { readFileSync } from "node:fs";

const { packages } = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));
const scopes = process.argv.slice(2);
const workspaces = Object.entries(packages).filter(([place]) => !place.includes("node_modules"));
const peers = workspaces.flatMap(([place, { peerDependenciesMeta = {} }]) =>
  Object.keys(peerDependenciesMeta)
    .filter((name) => scopes.length === 0 || scopes.some((scope) => name.startsWith(`${scope}/`)))
    .map((name) => {
      // npm puts a package beside its workspace where another version stands at the root.
      const { link, version } = packages[`${place}/node_modules/${name}`] ?? packages[`node_modules/${name}`];
      return { name, link, version };
    }),
);
// A clone has the packages of its own workspaces.
const wanted = new Set(peers.filter(({ link }) => !link).map(({ name, version }) => `${name}@${version}`));
process.stdout.write(`${[...wanted].join(" ")}\n`);
