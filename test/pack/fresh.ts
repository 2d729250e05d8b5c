import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { published, root } from "../../tools/pack/workspaces.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The tarballs, a project that installed them all, and what looks at them. */
    fresh: Fresh | { why: string };
  }
}

export interface Fresh {
  /** By the name of the package. */
  tarballs: Record<string, string>;
  project: string;
  /** The executables of each Node, and the compilers, by the names that tests give them. */
  nodes: Record<string, string>;
  compilers: Record<string, string>;
  /** What only the whole suite has. */
  whole?: {
    /** An installation of all packages and nothing beside them. */
    production: string;
    /** A project with the packages that judge tarballs. */
    tools: string;
    /** One with the earlier version of an optional peer. */
    earlier: string;
  };
}

/** The oldest and the newest of what we say works with. */
const TOOLS = {
  typescript58: "npm:typescript@5.8.3",
  typescript7: "npm:typescript@7.0.2",
  node22: `npm:node-${process.platform}-${process.arch}@22.19.0`,
  node24: `npm:node-${process.platform}-${process.arch}@24.21.0`,
  publint: "0.3.25",
  "@arethetypeswrong/core": "0.18.5",
};

/** Optional peers that entry points need as soon as they are imported. */
const PEERS = { msw: "^3.0.5", "@ai-sdk/provider": "^4.0.38" };
const EARLIER_PEERS = { msw: "2.15.0" };

const npm = (cwd: string, ...words: string[]) =>
  void execFileSync("npm", words, { cwd, stdio: ["ignore", "inherit", "pipe"] });

/** The folder of a package that a project has. */
const folderIn = (project: string, name: string): string =>
  join(createRequire(join(project, "package.json")).resolve(`${name}/package.json`), "..");

/**
 * Installs the tarballs into a folder that knows nothing of this repository. The whole suite packs them and fetches
 * the tools; the short one (`--mode short`) takes those that `npm run pack` has made, and the clone's Node and compiler.
 */
export default function setup(test: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "manifold-pack-"));
  const isShort = test.vitest.config.mode === "short";
  if (!isShort) npm(root, "run", "--silent", "pack");
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
    npm(project, "install", "--silent", "--no-audit", "--no-fund", "--prefer-offline");
    return project;
  };
  const own = Object.fromEntries(Object.entries(tarballs).map(([name, file]) => [name, `file:${file}`]));
  const whole = () => {
    const tools = install("tools", TOOLS);
    const paths = (names: string[], path: string) =>
      Object.fromEntries(names.map((name) => [name, join(folderIn(tools, name), path)]));
    return {
      nodes: paths(["node22", "node24"], "bin/node"),
      compilers: paths(["typescript58", "typescript7"], "bin/tsc"),
      whole: {
        production: install("production", own),
        earlier: install("earlier", { ...own, ...EARLIER_PEERS }),
        tools,
      },
    };
  };
  const short = () => ({
    nodes: { "this Node": process.execPath },
    compilers: { "this TypeScript": join(folderIn(root, "typescript"), "bin/tsc") },
  });
  try {
    const project = install("project", { ...own, ...PEERS, "@types/node": "^24.0.0" });
    test.provide("fresh", { tarballs, project, ...(isShort ? short() : whole()) });
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr ?? error);
    if (isShort || !/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENETUNREACH/.test(said)) throw error;
    test.provide("fresh", { why: " (the registry cannot be reached)" });
  }
  return () => rmSync(folder, { recursive: true, force: true });
}
