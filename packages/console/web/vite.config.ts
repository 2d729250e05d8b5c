import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const out = join(import.meta.dirname, "../dist/web");
const TEXT = /\.(?:js|css|html|svg|json)$/;

/** Compresses once, as hard as it goes, so that the server never has to. */
const packed: Plugin = {
  name: "packed",
  apply: "build",
  closeBundle() {
    for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !TEXT.test(entry.name)) continue;
      const file = join(entry.parentPath, entry.name);
      const bytes = readFileSync(file);
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      writeFileSync(
        `${file}.br`,
        brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
      );
    }
  },
};

/** What most screens are made of is loaded with the first, in one file. */
const shared = { name: "shared", test: /\/web\/src\/|\/node_modules\//, minShareCount: 6 };

export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  resolve: { conditions: ["manifold"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  // The polyfill would be inline code, which the policy refuses, and every browser with modules has it.
  build: {
    outDir: out,
    emptyOutDir: true,
    target: "es2023",
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [shared] } } },
  },
  worker: { format: "es" },
  plugins: [packed],
});
