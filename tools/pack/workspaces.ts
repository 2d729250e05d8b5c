import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What of a package.json is read here; the rest passes. */
export interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  homepage: string;
  files: string[];
  exports: Record<string, string | Record<string, string>>;
  publishConfig: { access: string; directory: string };
  [member: string]: unknown;
}

export const root = join(import.meta.dirname, "../..");

const folders = ["packages", "apps"].flatMap((group) =>
  readdirSync(join(root, group)).map((name) => join(root, group, name)),
);

/** The workspaces that are published. */
export const published = folders
  .filter((folder) => existsSync(join(folder, "package.json")))
  .map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest,
  }))
  .filter(({ manifest }) => !manifest.private);
