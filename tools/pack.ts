// Makes what is published, in `dist`: a folder for each package and its tarball in `dist/tarballs`. A clone runs from
// TypeScript sources and publishes JavaScript, so the manifest of a tarball is not quite that of the clone.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isCurrent } from "./pack/current.ts";
import { publishedManifest, publishedReadme } from "./pack/published.ts";
import { published, root } from "./pack/workspaces.ts";

const npm = (...words: string[]): void => void execFileSync("npm", words, { cwd: root, stdio: "inherit" });
const out = join(root, "dist");
// Everything is made here and moved at the end, so that a failure leaves what an earlier run has made.
const draft = join(root, "node_modules/.cache/pack");
const tarballs = join(draft, "tarballs");

npm("run", "--silent", "build");
rmSync(draft, { recursive: true, force: true });
mkdirSync(tarballs, { recursive: true });

const staged = published.map(({ folder, manifest }) => {
  const stage = join(draft, relative(out, join(folder, manifest.publishConfig.directory)));
  const place = relative(root, folder).replaceAll(sep, "/");
  for (const name of manifest.files.filter((name) => !name.startsWith("!")))
    cpSync(join(folder, name), join(stage, name), {
      recursive: true,
      filter: (file) => isCurrent(folder, file),
    });
  cpSync(join(root, "LICENSE"), join(stage, "LICENSE"));
  writeFileSync(join(stage, "package.json"), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  writeFileSync(join(stage, "README.md"), publishedReadme(readme, place, manifest.homepage));
  return stage;
});
npm("pack", "--silent", "--pack-destination", tarballs, ...staged);
rmSync(out, { recursive: true, force: true });
renameSync(draft, out);
