import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { describeWhole } from "./project.ts";

/**
 * What a package of ES modules alone cannot have otherwise: resolution as it was before `exports`, and a type system
 * that takes `require` of one for an error. Node has done it since 22.12.
 */
const OF_MODULES = [
  { kind: "NoResolution", resolutionKind: "node10" },
  { kind: "CJSResolvesToESM", resolutionKind: "node16-cjs" },
];

describeWhole("tarballs", ({ whole: { tools }, tarballs }) => {
  const load = (name: string) => {
    const found = createRequire(join(tools, "package.json")).resolve(name);
    return import(pathToFileURL(found).href);
  };
  const names = Object.keys(tarballs);
  const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(tarballs[name] ?? ""));

  it.each(names)("publint has nothing to say of %s", async (name) => {
    const { publint } = await load("publint");
    const { messages } = await publint({ pack: { tarball: bytesOf(name).buffer }, strict: true });
    expect(messages).toEqual([]);
  });

  it.each(names)("the types of %s are those of its JavaScript in every resolution", async (name) => {
    const { checkPackage, createPackageFromTarballData } = await load("@arethetypeswrong/core");
    const { problems = [] } = await checkPackage(createPackageFromTarballData(bytesOf(name)));
    const others = problems.filter(
      (problem: { kind: string; resolutionKind?: string }) =>
        !OF_MODULES.some(
          (known) => known.kind === problem.kind && known.resolutionKind === problem.resolutionKind,
        ),
    );
    expect(others).toEqual([]);
  });
});
