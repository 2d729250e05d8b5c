import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
/** A comparison of a database's name, or a table by it. */
const BY_NAME = /dialect\s*[!=]==?|[!=]==?\s*["'](sqlite|postgres)["']|Record<\w*\["dialect"\]|\[dialect\]/;

test("the store asks a dialect for what it can do and never compares its name", () => {
  const files = globSync("packages/store/src/**/*.ts", { cwd: ROOT });
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (BY_NAME.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
