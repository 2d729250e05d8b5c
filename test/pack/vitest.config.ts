import { defineConfig } from "vitest/config";

/** What is published, as strangers get it: `npm run test:pack`. It asks the registry for what the packages need. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.pack.ts"],
    globalSetup: ["fresh.ts"],
    maxWorkers: 1,
    testTimeout: 120_000,
  },
});
