import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { costOf, type ModelName, modelOf, models } from "@manifold-gateway/client/models";
import { presets } from "@manifold-gateway/providers";
import { costOf as ledgerCostOf, UNITS } from "@manifold-gateway/store";
import fc from "fast-check";
import { expect, expectTypeOf, it } from "vitest";
import { type ModelFile, modelFile } from "./model-rows.ts";

const path = new URL("../../packages/client/src/catalog/models.json", import.meta.url);
const namesPath = new URL("../../packages/client/src/catalog/listed-names.ts", import.meta.url);
/** Its size in a bundle that uses prices; others do not load it. */
const BUDGET = 12_000;

/** One line for each model. */
const written = ({ asOf, tiered, ...kinds }: ModelFile): string => {
  const lists = Object.entries(kinds).map(([kind, rows]) => {
    const lines = Object.entries(rows).map(
      ([name, row]) => `    ${JSON.stringify(name)}: ${JSON.stringify(row)}`,
    );
    return `  ${JSON.stringify(kind)}: {\n${lines.join(",\n")}\n  }`;
  });
  return `{\n  "asOf": "${asOf}",\n${lists.join(",\n")},\n  "tiered": ${JSON.stringify(tiered)}\n}\n`;
};

it("the table of models is what the public lists say of the models of presets (UPDATE_MODELS=1 writes it anew)", () => {
  if (process.env.UPDATE_MODELS)
    writeFileSync(path, written(modelFile(new Date().toISOString().slice(0, 10))));
  const file = JSON.parse(readFileSync(path, "utf8"));
  expect(file).toEqual(modelFile(file.asOf));
});

/** The longest line of a source. */
const LINE = 110;

/** The names as types: declarations do not import JSON in a way that all compilers resolve. */
const namesOf = ({ asOf: _, tiered: _t, ...kinds }: ModelFile): string => {
  const members = Object.entries(kinds).map(([kind, rows]) => {
    const names = Object.keys(rows).map((name) => JSON.stringify(name));
    const line = `  ${kind}: ${names.join(" | ")};`;
    return line.length <= LINE ? line : `  ${kind}:\n${names.map((name) => `    | ${name}`).join("\n")};`;
  });
  return `/** The names of the models in \`models.json\`, by kind. */\nexport interface ListedNames {\n${members.join("\n")}\n}\n`;
};

it("the types of names are those of the table (UPDATE_MODELS=1 writes them anew)", () => {
  const names = namesOf(JSON.parse(readFileSync(path, "utf8")));
  if (process.env.UPDATE_MODELS) writeFileSync(namesPath, names);
  expect(readFileSync(namesPath, "utf8")).toBe(names);
});

it("the table of models is compact", () => {
  expect(gzipSync(JSON.stringify(JSON.parse(readFileSync(path, "utf8")))).length).toBeLessThan(BUDGET);
});

it("every model of the table is of a preset, with sizes in tokens and prices by the ledger's units", () => {
  for (const [name, { contextWindow = 1, maxOutputTokens = 1, price }] of Object.entries(models)) {
    expect(Object.keys(presets)).toContain(name.slice(0, name.indexOf("/")));
    expect(Number.isInteger(contextWindow) && contextWindow > 0).toBe(true);
    expect(Number.isInteger(maxOutputTokens) && maxOutputTokens > 0).toBe(true);
    for (const [unit, dollars] of Object.entries(price)) {
      expect(UNITS).toContain(unit);
      expect(dollars).toBeGreaterThanOrEqual(0);
    }
  }
});

it("models of rankings and moderation have the prices that their page has", () => {
  expect(models["cohere/rerank-v3.5"]).toEqual({ kind: "ranking", price: { searchUnits: 0.002 } });
  expect(models["voyage/rerank-2.5"].price).toEqual({ input: 0.05 });
  expect(models["mistral/mistral-moderation-latest"]).toEqual({ kind: "moderation", price: { input: 0.1 } });
  expect(modelOf("openai/omni-moderation-latest")?.price).toEqual({});
  expect(costOf({ input: 0, output: 0, searchUnits: 2 }, { searchUnits: 0.002 })).toBe(4_000);
});

it("a model is looked up by its name, and a snapshot by that of its model", () => {
  const listed = models["anthropic/claude-sonnet-4-5"];
  expect(listed).toMatchObject({ kind: "text", price: { input: 3, output: 15 } });
  expect(modelOf("anthropic/claude-sonnet-4-5")).toBe(listed);
  expect(modelOf("anthropic/claude-sonnet-4-5-20250929")).toBe(listed);
  expect(modelOf("openai/gpt-5.4-2026-03-05")).toBe(models["openai/gpt-5.4"]);
  expect(modelOf("google-vertex-anthropic/claude-sonnet-4-5@20250929")?.price).toEqual(listed.price);
});

it("a model that is not listed has no price: a guess would be wrong", () => {
  for (const name of ["anthropic/claude-sonnet-4-59", "nowhere/gpt-6-sol", "toString", "openai/", ""])
    expect(modelOf(name)).toBeUndefined();
});

it("names of models are known to the compiler, and others are allowed", () => {
  expectTypeOf<"anthropic/claude-sonnet-4-5">().toExtend<ModelName>();
  expectTypeOf<"openai/gpt-99">().toExtend<ModelName>();
  expectTypeOf<"best">().toExtend<ModelName>();
  expectTypeOf<keyof typeof models>().not.toEqualTypeOf<string>();
  // @ts-expect-error A misspelt name of the table is found when the program is compiled.
  expect(models["openai/gtp-4.1"]).toBeUndefined();
});

const perMillion = [
  "input",
  "cacheRead",
  "cacheWrite",
  "cacheWriteLong",
  "audioInput",
  "imageInput",
  "output",
  "reasoning",
  "audioOutput",
  "imageOutput",
] as const;

it("a cost is what the ledger charges for the same usage and price, also where parts exceed their whole", () => {
  const records = (value: fc.Arbitrary<number>) =>
    fc.record(Object.fromEntries(perMillion.map((unit) => [unit, value])), { requiredKeys: [] });
  fc.assert(
    fc.property(
      records(fc.nat({ max: 100_000_000 })),
      records(fc.nat({ max: 1_000_000_000 })),
      ({ input = 0, output = 0, ...parts }, price) => {
        const usage = { ...parts, input, output };
        const dollars = Object.fromEntries(
          Object.entries(price).map(([unit, rate]) => [unit, (rate ?? 0) / 1_000_000]),
        );
        expect(costOf(usage, dollars)).toBe(ledgerCostOf(usage, price));
      },
    ),
  );
});
