// Makes one program of the server's modules, in `apps/server/program`: a start loads some files instead of a thousand.
import { globSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "vite";
import { JOINED } from "./bundle/joined.ts";
import { root } from "./pack/workspaces.ts";

const out = join(root, "apps/server/program");

/** The main file, and those of threads, which are loaded by their names. */
const entries = [
  "apps/server/src/main.ts",
  "packages/media/src/prober/worker.ts",
  ...globSync("packages/store/src/engine/*-thread.ts", { cwd: root }),
];

rmSync(out, { recursive: true, force: true });
await build({
  configFile: false,
  root,
  logLevel: "warn",
  ssr: {
    noExternal: JOINED,
    resolve: { conditions: ["manifold", "node"] },
  },
  build: {
    ssr: true,
    target: "esnext",
    outDir: out,
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
      },
    },
  },
});
