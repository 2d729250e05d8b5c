import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { published } from "../../tools/pack/workspaces.ts";
import { publicDeclarations } from "../support/public-declarations.ts";

/** Of every hundred declarations: a few, such as `ok` of a result, have nothing to say. */
const DESCRIBED = 95;

const packages = published
  .map(({ folder, manifest: { name, exports = {} } }) => ({
    name,
    folder: `${folder}/`,
    sources: Object.values(exports).flatMap((target) =>
      typeof target === "string" || target.manifold === undefined
        ? []
        : globSync(join(folder, target.manifold)),
    ),
  }))
  .filter(({ sources }) => sources.length > 0);

const declarations = publicDeclarations(packages);

it.each(packages)("an editor describes what $name exports, with its members", ({ name }) => {
  const all = declarations.get(name) ?? [];
  const bare = all.filter(({ comment }) => comment.trim() === "");
  const share = (100 * (all.length - bare.length)) / all.length;
  const missing = bare.map((one) => `${one.file}: ${one.name}`).sort();
  expect(share, missing.join("\n")).toBeGreaterThanOrEqual(DESCRIBED);
});
