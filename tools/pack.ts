// Makes what is published, in `dist`: a folder for each package and its tarball in `dist/tarballs`. A clone runs from
// TypeScript sources and publishes JavaScript, so the manifest of a tarball is not quite that of the clone.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { publishedManifest, publishedReadme } from "./pack/published.ts";
import { published, root } from "./pack/workspaces.ts";

const npm = (...words: string[]): void => void execFileSync("npm", words, { cwd: root, stdio: "inherit" });
const out = join(root, "dist");
const tarballs = join(out, "tarballs");

// What an earlier build left of sources that are gone would be published too.
for (const { folder } of published) rmSync(join(folder, "dist"), { recursive: true, force: true });
rmSync(out, { recursive: true, force: true });
npm("run", "--silent", "build");

const staged = published.map(({ folder, manifest }) => {
  const stage = join(folder, manifest.publishConfig.directory);
  const place = relative(root, folder).replaceAll(sep, "/");
  for (const name of manifest.files.filter((name) => !name.startsWith("!")))
    cpSync(join(folder, name), join(stage, name), { recursive: true });
  cpSync(join(root, "LICENSE"), join(stage, "LICENSE"));
  writeFileSync(join(stage, "package.json"), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  writeFileSync(join(stage, "README.md"), publishedReadme(readme, place, manifest.homepage));
  return stage;
});
mkdirSync(tarballs);
npm("pack", "--silent", "--pack-destination", tarballs, ...staged);
