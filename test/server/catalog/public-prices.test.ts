import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  listedAbilities,
  supportedParameters,
} from "../../../apps/server/src/catalog/public-capabilities.ts";
import { listedPrice } from "../../../apps/server/src/catalog/public-prices.ts";
import { catalogLists } from "../../../apps/server/src/commands/catalog-lists.ts";
import { changesOf, toValue } from "../../../apps/server/src/commands/changes.ts";
import { readDocument } from "../../../apps/server/src/config/document.ts";
import { parseConfig } from "../../../apps/server/src/config/load.ts";

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
  it("the price list finds a vendor's model by its native name", () => {
    const found = listedPrice("gpt-4o", { id: "openai", origin: "https://api.openai.com" }, at);
    expect(found?.price).toMatchObject({
      input: expect.any(Number),
      cacheRead: expect.any(Number),
      output: expect.any(Number),
    });
    expect(found?.contextWindow).toBeGreaterThan(1_000);
  });

  it("the price list guesses nothing", () => {
    expect(listedPrice("in-house-model", { id: "house", origin: "http://127.0.0.1:9" }, at)).toBeUndefined();
  });
});

describe("the public list of abilities", () => {
  it("the list of abilities finds a model by provider and native name, in either of two spellings", () => {
    const found = listedAbilities("openai", "gpt-4o");
    expect(found).toMatchObject({ input: ["text", "image", "file"], output: ["text"], tools: true });
    expect(listedAbilities("openai", "gpt-4o-2024-11-20")).toEqual(found);
    expect(listedAbilities("openrouter", "openai/gpt-4o-2024-11-20")).toEqual(found);
  });

  it("the list of abilities guesses nothing", () => {
    expect(listedAbilities("anthropic", "gpt-4o")).toBeUndefined();
    expect(listedAbilities("openai", "in-house-model")).toBeUndefined();
  });

  it("the list of abilities gives the parameters that both the model and a protocol of the entry know", () => {
    const abilities = listedAbilities("openai", "gpt-4o")!;
    const chat = supportedParameters(abilities, ["chatstyle"]);
    expect(chat).toEqual(expect.arrayContaining(["maxTokens", "seed", "tools"]));
    for (const name of ["topK", "thinking", "reasoningEffort"]) expect(chat).not.toContain(name);
    expect(supportedParameters(abilities, ["chatstyle"], { extensions: ["top_k"] })).toContain("topK");
    expect(supportedParameters(abilities, ["chatstyle"], { sampling: false })).not.toContain("temperature");
    expect(supportedParameters(abilities, ["msgstyle"])).not.toContain("seed");
    expect(supportedParameters(abilities, ["msgstyle", "chatstyle"])).toEqual(
      expect.arrayContaining(["seed", "topK"]),
    );
    expect(supportedParameters({ ...abilities, tools: false }, ["chatstyle"])).not.toContain("tools");
    const thinker = { ...abilities, reasoning: true, effort: true };
    expect(supportedParameters(thinker, ["chatstyle"])).toEqual(
      expect.arrayContaining(["thinking", "reasoningEffort"]),
    );
  });
});

describe("changes of the catalog", () => {
  const listed = {
    price: { input: 2, cacheRead: 0.5, output: 10 },
    highest: { input: 2, cacheRead: 0.5, output: 10 },
    text: { contextWindow: 1000, maxOutputTokens: 100, supportedParameters: ["maxTokens", "tools"] },
    input: ["image", "text"],
    output: ["text"],
    tiered: false,
    retired: false,
  };
  const config = parseConfig(file, env);
  const changes = changesOf(config, (model) => (model === "big" ? listed : undefined));

  it("changes name what differs, and only that", () => {
    const change = (field: string, from: unknown, to: unknown) => ({
      model: "big",
      entry: 0,
      field,
      from,
      to,
    });
    expect(changes).toEqual([
      { model: "big", field: "input", from: ["text"], to: ["image", "text"] },
      change("price.input", 1, 2),
      change("price.cacheRead", undefined, 0.5),
      change("capabilities.text.contextWindow", undefined, 1000),
      change("capabilities.text.maxOutputTokens", undefined, 100),
      change("capabilities.text.supportedParameters", undefined, ["maxTokens", "tools"]),
    ]);
  });

  it("changes that are made leave nothing to change, and the rest as it was", () => {
    const written = readDocument("f.json", JSON.stringify(file)).withValues(changes.map(toValue));
    const made = JSON.parse(written) as typeof file;
    const reversed = { ...listed, input: ["text", "image"] };
    expect(changesOf(parseConfig(made, env), (model) => (model === "big" ? reversed : undefined))).toEqual(
      [],
    );
    expect(made.providers).toEqual(file.providers);
    expect(made.models.ours).toEqual(file.models.ours);
  });

  it("changes of the model as a whole come from the entry that goes first", () => {
    const [entry] = file.models.big.entries;
    const entries = [entry, { ...entry, priority: 0 }];
    const two = parseConfig({ ...file, models: { big: { entries } } }, env);
    const whole = changesOf(two, (_, i) => ({ ...listed, input: [i === 1 ? "audio" : "image"] }));
    expect(whole.filter(({ field }) => field === "input")).toEqual([
      { model: "big", field: "input", from: ["text"], to: ["audio"] },
    ]);
  });
});

describe("the catalog command", () => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-catalog-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("the catalog command shows changes first, writes them on request, and never writes a secret", async () => {
    const path = join(folder, "manifold.json");
    writeFileSync(path, JSON.stringify(file));
    const lines: string[] = [];
    const run = (action: "diff" | "import") =>
      catalogLists[action]({
        words: [],
        options: { config: path },
        env,
        print: (line) => void lines.push(line),
        read: async () => "",
      });
    expect(await run("diff")).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(JSON.stringify(file));
    expect(lines.join("\n")).toMatch(/big entries\.0\.price\.input: 1 → /);
    expect(lines.join("\n")).toMatch(/big input: text → text, image/);
    expect(lines.join("\n")).toMatch(
      /big entries\.0\.capabilities\.text\.supportedParameters: none → maxTokens, /,
    );
    expect(lines.join("\n")).toContain("the list does not know 'in-house-model'");
    expect(await run("import")).toBe(0);
    const text = readFileSync(path, "utf8");
    expect(text).not.toContain("sk-secret-of-a-vendor");
    const { big } = JSON.parse(text).models;
    expect(big.entries[0].price.input).toBeGreaterThan(1);
    expect(big.input).toContain("image");
    expect(big.entries[0].capabilities.text).toMatchObject({
      contextWindow: expect.any(Number),
      maxOutputTokens: expect.any(Number),
      supportedParameters: expect.arrayContaining(["maxTokens", "tools"]),
    });
    lines.length = 0;
    await run("diff");
    expect(lines.at(-1)).toBe("nothing to change");
  });
});
