// Builds the pages after `npm ci` of a clone, so that the first start has them. An installation without the
// development dependencies has no bundler, and serves what it was given.
import { createRequire } from "node:module";

const bundler = (() => {
  try {
    return createRequire(import.meta.url).resolve("vite");
  } catch {
    return undefined;
  }
})();

if (bundler !== undefined) {
  const { build } = await import("vite");
  await build({ root: new URL("../web", import.meta.url).pathname, logLevel: "warn" });
}
