import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  ssr: { resolve: { conditions: ["manifold"] } },
  resolve: {
    conditions: ["manifold"],
    alias: { "@node-rs/argon2": join(import.meta.dirname, "test/support/passwords.ts") },
  },
  test: {
    include: ["test/**/*.test.ts", "examples/**/*.test.ts"],
    globalSetup: ["test/store/databases/server.ts", "test/support/bundles.ts"],
    setupFiles: ["test/support/seed.ts"],
    // Much of the time is spent waiting: for processes that start, for disks, for limits.
    maxWorkers: 3,
    // Files of one worker share their modules: loading them anew for each file takes a third of the run. A helper's
    // hooks therefore belong in a function that each file calls, never at the top of the helper's module.
    isolate: false,
    // Processes that tests start read what an earlier one has compiled: half of what a start takes is compiling.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/node") },
    // A slow machine takes three times as long as a quick one, and a state that a busy one comes to in seconds is right.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
