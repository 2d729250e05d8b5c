import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { released } from "../../tools/pack/changelog.ts";
import { publishedManifest, publishedReadme } from "../../tools/pack/published.ts";
import { published, root } from "../../tools/pack/workspaces.ts";

const LINK = /\]\((?!#)([^)#\s]+)/g;
const linksOf = (text: string): string[] => [...text.matchAll(LINK)].map(([, link = ""]) => link);

describe.each(published.map((one) => ({ ...one, name: one.manifest.name })))(
  "$name",
  ({ folder, manifest }) => {
    const place = relative(root, folder);
    const readme = readFileSync(join(folder, "README.md"), "utf8");

    it("says what it is, for whom, and where it comes from", () => {
      expect(manifest).toMatchObject({
        description: expect.stringMatching(/^.{20,}\.$/),
        keywords: expect.arrayContaining([expect.any(String)]),
        homepage: expect.stringMatching(new RegExp(`/tree/main/${place}#readme$`)),
        bugs: expect.stringMatching(/^https:/),
        repository: { type: "git", url: expect.stringMatching(/^git\+https:.*\.git$/), directory: place },
        license: "Apache-2.0",
        engines: { node: expect.any(String) },
        publishConfig: { access: "public" },
      });
    });

    it("has a door to its manifest, and behind every other one its source in the clone and what is built of it", () => {
      const { "./package.json": own, ...doors } = manifest.exports;
      expect(own).toBe("./package.json");
      for (const target of Object.values(doors)) {
        const source = (target as Record<string, string>).manifold ?? "";
        const built = source.replace(/^\.\/src\/(.*)\.ts$/, "./dist/$1");
        expect(Object.entries(target)).toEqual([
          ["manifold", source],
          ["types", `${built}.d.ts`],
          ["default", `${built}.js`],
        ]);
        expect(globSync(source, { cwd: folder }), source).not.toEqual([]);
      }
    });

    it("is published without its sources and what is for its development", () => {
      const text = JSON.stringify(publishedManifest(manifest));
      expect(text).not.toMatch(/src\/|"scripts"|"devDependencies"|"directory":"\.\./);
      expect(publishedManifest(manifest)).toMatchObject({ name: manifest.name, version: manifest.version });
    });

    it("has a README whose links lead somewhere, in the clone and on the registry", () => {
      const local = linksOf(readme).filter((link) => !link.includes(":"));
      expect(local.filter((link) => !existsSync(join(folder, link)))).toEqual([]);
      const links = linksOf(publishedReadme(readme, place, manifest.homepage));
      expect(links.filter((link) => !/^https:\/\/[^ ]+$/.test(link) || link.includes(".."))).toEqual([]);
    });
  },
);

it("all packages are built by npm run build", () => {
  const referenced = (file: string): string[] => {
    const { references = [] } = JSON.parse(readFileSync(file, "utf8")) as { references?: { path: string }[] };
    const folders = references.map(({ path }) => join(dirname(file), path));
    return folders.flatMap((folder) => [folder, ...referenced(join(folder, "tsconfig.json"))]);
  };
  const built = new Set(referenced(join(root, "tsconfig.build.json")));
  expect(published.map(({ folder }) => folder).filter((folder) => !built.has(folder))).toEqual([]);
});

it("all packages have one version", () => {
  expect(new Set(published.map(({ manifest }) => manifest.version)).size).toBe(1);
});

it("a release gives what is unreleased its version and day, once", () => {
  const text = "# Changelog\n\n## Unreleased\n\n### Added\n\n- This.\n\n## 0.1.0 - 2026-01-01\n";
  const day = new Date("2026-11-23T10:00:00Z");
  const next = released(text, "0.2.0", day);
  expect(next).toBe(text.replace("## Unreleased\n", "## Unreleased\n\n## 0.2.0 - 2026-11-23\n"));
  expect(() => released(next, "0.2.0", day)).toThrow("has 0.2.0 already");
  expect(readFileSync(join(root, "CHANGELOG.md"), "utf8")).toContain("\n## Unreleased\n");
});

it("packages of ours ask for each other's present version", () => {
  const versions = new Map(published.map(({ manifest }) => [manifest.name, `^${manifest.version}`]));
  for (const { manifest } of published) {
    const asked = Object.entries({ ...(manifest.dependencies as object) }).filter(([name]) =>
      versions.has(name),
    );
    expect(asked).toEqual(asked.map(([name]) => [name, versions.get(name)]));
  }
});
