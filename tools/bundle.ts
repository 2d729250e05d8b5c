// Makes one program of the server's modules, in `apps/server/program`: a start loads some files instead of a thousand.
import { globSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { build } from "vite";
import { BUNDLED } from "./bundle/bundled.ts";
import { root } from "./pack/workspaces.ts";

const program = join(root, "apps/server/program");
/** Made beside it and then moved, so that a start finds a whole program or none. */
const next = `${program}.next`;

/** The main file, and those of threads, which are loaded by their names. */
const entries = [
  "apps/server/src/main.ts",
  "packages/media/src/prober/worker.ts",
  ...globSync("packages/store/src/engine/*-thread.ts", { cwd: root }),
];

/** The files that it is made of, and when each was last changed, in ms: `start.mjs` compares. */
const sources = new Map<string, number>();
const add = (file: string): void => void sources.set(relative(root, file), statSync(file).mtimeMs);
add(import.meta.filename);
// Packages change with the lockfile only.
add(join(root, "package-lock.json"));

rmSync(next, { recursive: true, force: true });
await build({
  configFile: false,
  root,
  logLevel: "warn",
  plugins: [
    {
      name: "sources",
      buildEnd() {
        for (const id of this.getModuleIds())
          if (id.startsWith(root) && !id.includes("node_modules")) add(id);
      },
    },
  ],
  ssr: {
    noExternal: BUNDLED,
    resolve: { conditions: ["manifold", "node"] },
  },
  build: {
    ssr: true,
    target: "esnext",
    outDir: next,
    emptyOutDir: false,
    sourcemap: true,
    rolldownOptions: {
      input: Object.fromEntries(entries.map((file) => [basename(file, ".ts"), join(root, file)])),
      // It looks for its pages beside its own file.
      external: ["@manifold-gateway/console"],
      // Threads are looked for beside the file that starts them, so all files stand in one folder.
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name]-[hash].js",
        sourcemapExcludeSources: true,
        // The runtime keeps the text of what it runs.
        comments: { jsdoc: false, annotation: false },
      },
    },
  },
});

writeFileSync(join(next, "sources.json"), JSON.stringify(Object.fromEntries(sources)));
rmSync(program, { recursive: true, force: true });
renameSync(next, program);
