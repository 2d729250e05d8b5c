/** The table of known providers: data, which nothing but these schemas checks. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fromPreset, presets, surchargesOf } from "@manifold-gateway/providers";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { provider } from "../../apps/server/src/config/providers.ts";

const file = join(import.meta.dirname, "../../packages/providers/src/presets.json");
const rows = Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, object>);

const own = z.strictObject({
  name: z.string().min(1),
  media: z.literal(true).optional(),
  keyVariable: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]+_KEY$/)
    .optional(),
  originVariable: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]+_ORIGIN$/)
    .optional(),
  describes: z.enum(["tags", "props"]).optional(),
});

/** A row as an operator would declare it, beside the members that only presets have. */
function split(row: object) {
  const { speaks, surcharges, ...rest } = row as { speaks: string[]; surcharges?: object[] };
  const isOwn = (name: string) => name in own.shape;
  const part = (keep: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(rest).filter(([name]) => keep(name)));
  return {
    own: part(isOwn),
    declared: {
      ...part((name) => !isOwn(name)),
      ...(speaks.length > 0 && { protocol: speaks }),
      ...(surcharges && {
        surcharges: surcharges.map(({ $comment: _, ...row }: { $comment?: string }) => row),
      }),
    },
  };
}

test.each(rows)("preset %s is a valid provider of the configuration", (_, row) => {
  const parts = split(row);
  expect(own.parse(parts.own)).toEqual(parts.own);
  expect(provider.parse(parts.declared)).toEqual(parts.declared);
});

test.each(rows)("preset %s is activated by a variable", (id, row) => {
  expect(row).toSatisfy((preset: object) => "keyVariable" in preset || "originVariable" in preset);
  expect(fromPreset(id, { key: "k" }).id).toBe(id);
});

describe("what a preset leaves unpriced", () => {
  it("is refused for vendors and forwarded to servers of one's own", () => {
    const local = Object.entries(presets).filter(([, { unpriced }]) => unpriced === "forward");
    expect(local.map(([id]) => id)).toEqual(["ollama", "llamacpp", "vllm"]);
  });

  it("is found by the first row that fits a model's name", () => {
    const rows = presets.openai?.surcharges ?? [];
    expect(surchargesOf(rows, "gpt-4o").calls?.webSearches).toBe(0.025);
    expect(surchargesOf(rows, "gpt-5").calls?.webSearches).toBe(0.01);
  });
});
