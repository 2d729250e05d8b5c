import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { complaintAbout, LEAST_NODE } from "../../apps/server/src/require-node.ts";

it.each(["20.20.2", "22.18.0", "18.0.0"])("Node %s is refused by its version", (version) => {
  expect(complaintAbout(version)).toBe(`Manifold needs Node 22.19 or newer; this is Node ${version}.`);
});

it.each(["22.19.0", "22.20.1", "24.0.0"])("Node %s is accepted", (version) => {
  expect(complaintAbout(version)).toBeUndefined();
});

it("is the Node that the package names", () => {
  const { engines } = JSON.parse(readFileSync("apps/server/package.json", "utf8"));
  expect(engines.node).toBe(`>=${LEAST_NODE}`);
});

it("is checked before anything is imported that an older Node lacks", () => {
  const importsOf = (file: string) =>
    [...readFileSync(`apps/server/src/${file}`, "utf8").matchAll(/^import .*?"(.+)";$/gm)].map(
      ([, name]) => name,
    );
  expect(importsOf("main.ts")).toEqual(["./require-node.ts"]);
  expect(importsOf("require-node.ts")).toEqual([]);
});
