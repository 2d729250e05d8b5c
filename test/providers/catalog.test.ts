/** The tables of known media models: data, which nothing but these schemas checks. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { capabilitiesSchema } from "@manifold-gateway/core/configuration";
import {
  imageModels,
  presets,
  speechModels,
  transcriptionModels,
  videoModels,
  wires,
} from "@manifold-gateway/providers";
import { dollarOf, UNITS, type Unit } from "@manifold-gateway/store";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { meter, tiers } from "../../apps/server/src/config/media.ts";
import { modelsOf } from "../../packages/providers/src/catalog/rows.ts";

const catalog = join(import.meta.dirname, "../../packages/providers/src/catalog");

const entry = z.strictObject({
  label: z.string().min(1),
  wire: z.enum(wires),
  takes: z.array(z.enum(["image", "video", "audio"])),
  capabilities: capabilitiesSchema,
  meter: meter.optional(),
  tiers: z.union([z.tuple([]), tiers(UNITS)]),
  retired: z.literal(true).optional(),
  provider: z.enum(Object.keys(presets)).optional(),
  name: z.string().optional(),
});

type Tiers = { price: Record<string, number> }[];

/** The prices as the tables have them: in dollars. */
const printed = ["image", "video", "speech", "transcription"].flatMap((kind) =>
  readdirSync(join(catalog, kind)).flatMap((file) => {
    const rows = JSON.parse(readFileSync(join(catalog, kind, file), "utf8")) as Record<string, object>;
    return Object.entries(rows).flatMap(([name, row]) =>
      "tiers" in row ? [[name, row.tiers as Tiers] as const] : [],
    );
  }),
);
const counted = { ...imageModels, ...videoModels };
const hosted = { ...speechModels, ...transcriptionModels };
const models = { ...counted, ...hosted };

test.each(Object.entries(models))("%s is a valid entry of the configuration", (_, model) => {
  const dollars = model.tiers.map(({ price, ...tier }) => ({
    ...tier,
    price: Object.fromEntries(
      Object.entries(price).map(([unit, value]) => [unit, value / dollarOf(unit as Unit)]),
    ),
  }));
  const whole = { ...model, tiers: dollars };
  expect(entry.parse(whole)).toEqual(whole);
});

test("models that are generated are counted; those with sound have a preset and one price", () => {
  for (const [name, model] of Object.entries(counted)) expect(model, name).toHaveProperty("meter");
  for (const [name, { provider, tiers }] of Object.entries(hosted)) {
    expect(presets, name).toHaveProperty(provider);
    expect(tiers, name).toEqual([{ price: expect.anything() }]);
  }
});

test.each(printed)("%s costs what its table says, in the scale of the ledger", (name, rows) => {
  expect(models[name]?.tiers.map(({ price }) => price)).toEqual(
    rows.map(({ price }) =>
      Object.fromEntries(
        Object.entries(price).map(([unit, usd]) => [unit, Math.round(usd * dollarOf(unit as Unit))]),
      ),
    ),
  );
});

describe("a row of the catalog", () => {
  const first = { label: "First", retired: true, meter: { by: "seconds", longest: 8 }, tiers: [] };

  test("a row changes single members of what it extends, and removes what is null", () => {
    const second = { extends: "first", $comment: "why", retired: null, meter: { longest: 9 } };
    expect(modelsOf({ first, second })).toEqual({
      first,
      second: { label: "First", meter: { by: "seconds", longest: 9 }, tiers: [] },
    });
  });

  test("a row extends an earlier one of any table, and nothing else", () => {
    expect(modelsOf({ first }, { second: { extends: "first" } })).toMatchObject({ second: first });
    expect(() => modelsOf({ second: { extends: "first" }, first })).toThrow("second extends first");
  });
});
