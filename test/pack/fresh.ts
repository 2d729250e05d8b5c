import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { published, root } from "../../tools/pack/workspaces.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The tarballs, a project that installed them all, and one beside it with the tools that look at them. */
    fresh: Fresh | { why: string };
  }
}

export interface Fresh {
  /** By the name of the package. */
  tarballs: Record<string, string>;
  project: string;
  /** An installation of all packages and nothing beside them. */
  production: string;
  tools: string;
}

/** The oldest and the newest of what we say works with. */
const TOOLS = {
  typescript59: "npm:typescript@5.9.3",
  typescript7: "npm:typescript@7.0.2",
  node22: `npm:node-${process.platform}-${process.arch}@22.19.0`,
  node24: `npm:node-${process.platform}-${process.arch}@24.21.0`,
  publint: "0.3.25",
  "@arethetypeswrong/core": "0.18.5",
};

/** Optional peers that entry points need as soon as they are imported. */
const PEERS = { msw: "^3.0.5" };

/** Packs every package and installs the tarballs into a folder that knows nothing of this repository. */
export default function setup(test: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "manifold-pack-"));
  const npm = (cwd: string, ...words: string[]) =>
    void execFileSync("npm", words, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  npm(root, "run", "pack");
  const tarballs = Object.fromEntries(
    published.map(({ manifest: { name, version } }) => [
      name,
      join(root, "dist/tarballs", `${name.replace("@", "").replace("/", "-")}-${version}.tgz`),
    ]),
  );
  const install = (name: string, dependencies: Record<string, string>): string => {
    const project = join(folder, name);
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, dependencies }));
    npm(project, "install", "--no-audit", "--no-fund", "--prefer-offline");
    return project;
  };
  const own = Object.fromEntries(Object.entries(tarballs).map(([name, file]) => [name, `file:${file}`]));
  try {
    test.provide("fresh", {
      tarballs,
      project: install("project", { ...own, ...PEERS, "@types/node": "^24.0.0" }),
      production: install("production", own),
      tools: install("tools", TOOLS),
    });
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr ?? error);
    if (!/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENETUNREACH/.test(said)) throw error;
    test.provide("fresh", { why: " (the registry cannot be reached)" });
  }
  return () => rmSync(folder, { recursive: true, force: true });
}
