import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { apiTypes } from "../../packages/console/tools/api-types.ts";

const FILE = join(import.meta.dirname, "../../packages/console/web/src/api/schema.d.ts");

it("the console's types are those of the routes (npm run types -w packages/console writes them anew)", async () => {
  expect(readFileSync(FILE, "utf8")).toBe(await apiTypes());
});
