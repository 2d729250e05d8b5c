import { contradictionsOf } from "@manifold-gateway/core/codec";
import { traitSchemas } from "@manifold-gateway/core/configuration";
import { presets } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { conversationFamilies } from "../../packages/providers/src/catalog/text/conversations.ts";
import { alternatives, familyFinder } from "../../packages/providers/src/catalog/text/family.ts";
import { families, familyOf } from "../../packages/providers/src/catalog/text/index.ts";
import { sources } from "../../packages/providers/src/catalog/text/sources.ts";

/** Texts that stand for `*` in a pattern: a family is reached if it is reached with one of them. */
const FILLERS = ["", "-x", "9", "-9", "9-9", "-9-9"];
const namesOf = (pattern: string): string[] => FILLERS.map((filler) => pattern.replaceAll("*", filler));

/** The patterns of families that no name reaches, because earlier families fit all of them. */
const unreached = (all: typeof families): string[] => {
  const find = familyFinder(all);
  return all.flatMap((family) =>
    family.names
      .flatMap(alternatives)
      .filter((pattern) => !namesOf(pattern).some((name) => find(name) === family)),
  );
};

describe("the table of model families", () => {
  it("has no pattern that no name reaches, and so no two rows that contradict each other", () => {
    expect(unreached(families)).toEqual([]);
    expect(unreached(conversationFamilies)).toEqual([]);
  });

  it("falls with the pattern that an earlier row covers", () => {
    const source = "model-list";
    const covered = { names: ["gpt-4-{1,x}"], traits: { sampling: false }, source } as const;
    expect(unreached([{ names: ["gpt-4-1*"], traits: {}, source }, covered])).toEqual(["gpt-4-1"]);
  });

  it("has no row whose traits contradict each other, nor a preset", () => {
    for (const { names, traits } of [...families, ...conversationFamilies])
      expect(contradictionsOf(traits), names.join()).toEqual([]);
    for (const [id, { traits = {}, protocolTraits = {} }] of Object.entries(presets))
      for (const one of [traits, ...Object.values(protocolTraits)])
        expect(contradictionsOf(one ?? {}), id).toEqual([]);
  });

  it("names each trait in one of its two parts", () => {
    const [settings, form] = [families, conversationFamilies].map(
      (part) => new Set(part.flatMap(({ traits }) => Object.keys(traits))),
    );
    expect([...(settings ?? [])].filter((trait) => form?.has(trait))).toEqual([]);
  });

  it("has traits that the configuration would take, and sources that are used", () => {
    for (const { names, traits } of [...families, ...conversationFamilies])
      expect(z.strictObject(traitSchemas).partial().safeParse(traits).error, names.join()).toBeUndefined();
    expect(new Set([...families, ...conversationFamilies].map(({ source }) => source))).toEqual(
      new Set(Object.keys(sources)),
    );
  });

  it.each([
    ["claude-opus-4-5-20251101", "claude-opus-4-5"],
    ["anthropic/claude-opus-4.5:free", "claude-opus-4-5"],
    ["us.anthropic.claude-opus-4-5-20251101-v1:0", "claude-opus-4-5"],
    [
      "arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-opus-4-5-20251101-v1:0",
      "claude-opus-4-5",
    ],
    ["claude-opus-4-5@20251101", "claude-opus-4-5"],
    ["databricks-claude-opus-4-5", "claude-opus-4-5"],
    ["claude-3-5-sonnet-latest", "claude-3-5*"],
    ["claude-sonnet-4-20250514", "claude-3-7*"],
    ["claude-opus-4-9", "claude-*"],
    ["claude-opus-9", "claude-*"],
    ["models/gemini-2.5-flash-preview-09-2025", "gemini-2*"],
    ["gemini-2.5-flash-lite", "gemini-2-5-flash-lite"],
    ["openai/GPT-5.4-Mini-2026-03-05", "gpt-5-4"],
    ["gpt-5-2025-08-07", "gpt-5"],
    ["gpt-5-mini", "gpt-5"],
    ["gpt-5.9", "gpt-5-*"],
    ["ft:gpt-4o-mini-2024-07-18:org::id", "gpt-4o*"],
    ["gpt-4o-search-preview", "{gpt-5*,gpt-4o*}-search*"],
    ["accounts/fireworks/models/kimi-k2p5", "kimi-k2-{5,6}"],
    ["MiniMaxAI/MiniMax-M2.5", "minimax-m2*"],
    ["meta-models/muse-spark-open", "muse-*-open*"],
    ["openrouter/meta/muse-spark-1.3-contributor", "muse-spark-*contributor*"],
    ["muse-spark-1.3", "muse-spark-1-3"],
    ["deepseek-r1-distill-llama-70b", "deepseek-{coder,llm,prover,r1,v2,v3,vl}*"],
    ["@cf/meta/llama-3.3-70b-instruct-fp8-fast", "llama{2,3,4,-2,-3,-4,-v3,-v4}*"],
    ["my-model", undefined],
    ["mistral/my-model", undefined],
    ["", undefined],
  ])("finds the family of %s", (name, row) => {
    expect(familyOf(name)?.names[0]).toBe(row);
  });
});
