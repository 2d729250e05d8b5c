import { defineConfig } from "vitest/config";

/** What every change has to pass: `--mode short`. */
const SHORT = ["readme", "serve", "types"];

/** What is published, as strangers get it: `npm run test:pack`. It asks the registry for what the packages need. */
export default defineConfig(({ mode }) => ({
  test: {
    root: import.meta.dirname,
    include: mode === "short" ? SHORT.map((name) => `${name}.pack.ts`) : ["*.pack.ts"],
    globalSetup: ["fresh.ts"],
    maxWorkers: 1,
    testTimeout: 120_000,
  },
}));
