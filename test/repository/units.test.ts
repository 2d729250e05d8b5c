import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { UNITS } from "@manifold-gateway/store";
import { expect, it } from "vitest";

const program = join(import.meta.dirname, "unit/program.ts");

it("a unit that stands in the table of units alone is priced, charged, listed, recorded and audited", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=manifold", program]);
  const { price, cost, listed, record, audit } = JSON.parse(stdout);
  // Two dollars each, and three for those that glow.
  expect(price).toEqual({ moonbeams: 2e12, moonGlow: 3e12 });
  expect(cost).toBe(3 * 2e6 + 2 * 3e6);
  expect(JSON.stringify(listed)).toContain('"perMoonbeam":2');
  expect(record.results[0]).toMatchObject({ usage: { details: { moonbeams: 5, moonGlow: 2 } } });
  expect(audit).toEqual([]);
});

it.each(["docs/configuration.md", "docs/money.md"])("the page %s names every unit", (page) => {
  const text = readFileSync(join(import.meta.dirname, "../..", page), "utf8");
  expect(UNITS.filter((unit) => !text.includes(`\`${unit}\``))).toEqual([]);
});
