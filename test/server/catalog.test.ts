import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { applyChanges, catalog, changesOf } from "../../apps/server/src/commands/catalog.ts";
import { listedPrice } from "../../apps/server/src/commands/prices.ts";
import { parseConfig } from "../../apps/server/src/config/load.ts";

const at = new Date("2026-01-01T00:00:00Z");
const file = {
  providers: {
    openai: { preset: "openai", key: "$" + "{OPENAI_API_KEY}" },
    house: { protocol: "chatstyle", origin: "http://127.0.0.1:9" },
  },
  models: {
    big: { entries: [{ provider: "openai", name: "gpt-4o", price: { input: 1, output: 10 } }] },
    ours: { entries: [{ provider: "house", name: "in-house-model", price: { input: 3 } }] },
  },
};
const env = { OPENAI_API_KEY: "sk-secret-of-a-vendor" };

describe("the public price list", () => {
  it("knows a vendor's model by its native name", () => {
    const found = listedPrice("gpt-4o", { id: "openai", origin: "https://api.openai.com" }, at);
    expect(found?.price).toMatchObject({
      input: expect.any(Number),
      cacheRead: expect.any(Number),
      output: expect.any(Number),
    });
    expect(found?.contextWindow).toBeGreaterThan(1_000);
  });

  it("guesses nothing", () => {
    expect(listedPrice("in-house-model", { id: "house", origin: "http://127.0.0.1:9" }, at)).toBeUndefined();
  });
});

describe("changes", () => {
  const listed = { price: { input: 2, cacheRead: 0.5, output: 10 }, contextWindow: 1000, tiered: false };
  const config = parseConfig(file, env);
  const changes = changesOf(config, (model) => (model === "big" ? listed : undefined));

  it("name what differs, and only that", () => {
    expect(changes).toEqual([
      { model: "big", entry: 0, field: "price.input", from: 1, to: 2 },
      { model: "big", entry: 0, field: "price.cacheRead", from: undefined, to: 0.5 },
      { model: "big", entry: 0, field: "capabilities.text.contextWindow", from: undefined, to: 1000 },
    ]);
  });

  it("once made leave nothing to change, and the rest as it was", () => {
    const made = applyChanges(file, changes) as typeof file;
    expect(changesOf(parseConfig(made, env), (model) => (model === "big" ? listed : undefined))).toEqual([]);
    expect(made.providers).toEqual(file.providers);
    expect(made.models.ours).toEqual(file.models.ours);
  });
});

describe("the command", () => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-catalog-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("shows first, writes when told, and never writes a secret", async () => {
    const path = join(folder, "manifold.json");
    writeFileSync(path, JSON.stringify(file));
    const lines: string[] = [];
    const run = (word: string) =>
      catalog.run({
        words: [word],
        options: { config: path },
        env,
        print: (line) => void lines.push(line),
        read: async () => "",
      });
    expect(await run("diff")).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(JSON.stringify(file));
    expect(lines.join("\n")).toMatch(/big entries\.0\.price\.input: 1 → /);
    expect(lines.join("\n")).toContain("the list does not know 'in-house-model'");
    expect(await run("import")).toBe(0);
    const text = readFileSync(path, "utf8");
    expect(text).not.toContain("sk-secret-of-a-vendor");
    expect(JSON.parse(text).models.big.entries[0].price.input).toBeGreaterThan(1);
    lines.length = 0;
    await run("diff");
    expect(lines.at(-1)).toBe("nothing to change");
  });
});
