import {
  encodeVoices,
  knownVoices,
  type Voice,
  voiceQuerySchema,
  voicesSchema,
} from "@manifold-gateway/core/operations";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { filterVoices, findVoice } from "../../../../packages/core/src/operations/speech/index.ts";
import type { VoiceQuery } from "../../../../packages/core/src/operations/speech/voices/query.ts";

const base = knownVoices[0] as Voice;
const voice = (voiceType: string, more: Partial<Voice>): Voice => ({ ...base, voiceType, ...more });
const speaks = (...tags: string[]) => tags.map((language) => ({ language, text: "x", flag: "" }));

describe("the known voices", () => {
  test("the known voices are a catalog", () => {
    expect(voicesSchema.safeParse(knownVoices).error).toBeUndefined();
  });
  test("the known voices are of both generations, the second by its ending, and only it takes contexts", () => {
    const models = new Set(knownVoices.map((one) => one.resourceId));
    expect(models).toEqual(new Set(["seed-tts-1.0", "seed-tts-2.0"]));
    for (const { voiceType, resourceId, capabilities } of knownVoices) {
      expect(resourceId === "seed-tts-2.0").toBe(voiceType.endsWith("_uranus_bigtts"));
      expect(capabilities.contextTexts).toBe(resourceId === "seed-tts-2.0");
    }
  });
  test("a voice that is listed twice is reported", () => {
    const read = voicesSchema.safeParse([base, base]);
    expect(read.error?.issues.map((issue) => issue.path)).toEqual([[1, "voiceType"]]);
  });
  test("the known voices are found by their exact names", () => {
    for (const one of knownVoices) expect(findVoice(knownVoices, one.voiceType)).toBe(one);
    expect(findVoice(knownVoices, base.voiceType.toUpperCase())).toBeUndefined();
    expect(findVoice(knownVoices, "__proto__")).toBeUndefined();
  });
});

describe("the query for voices", () => {
  test.each([
    ["gender", ["male", "female"], ["Male", "", "other"]],
    ["age", ["child", "teenager", "adult", "middle-age"], ["old", ""]],
    [
      "category",
      ["General", "Dubbing", "Advertisement", "AudioBook", "Conversational", "Entertainment", "SocialMedia"],
      ["general", "Music"],
    ],
    ["language", ["en", "en-US", "zh-Hans-CN", "pt-BR"], ["", "english language", "e", "en_US"]],
    ["resourceId", ["seed-tts-1.0", "seed-tts-2.0"], ["seed-tts-3.0", ""]],
  ])("the query takes the values of %s", (field, taken, refused) => {
    for (const value of taken) expect(voiceQuerySchema.parse({ [field]: value })).toEqual({ [field]: value });
    for (const value of refused) {
      const issues = voiceQuerySchema.safeParse({ [field]: value }).error?.issues ?? [];
      expect(issues.map((issue) => issue.path)).toEqual([[field]]);
      expect(issues[0]?.message).toMatch(/must be/);
    }
  });

  test.each([
    ["en", ["a", "b"]],
    ["EN-us", ["a"]],
    ["en-US", ["a"]],
    ["en-U", []],
    ["fr", ["c"]],
    ["f", []],
  ])("language %s is matched by itself and by more specific ones", (language, found) => {
    const voices = [
      voice("a", { languages: speaks("en-US") }),
      voice("b", { languages: speaks("en", "de-DE") }),
      voice("c", { languages: speaks("fr-FR") }),
    ];
    expect(filterVoices(voices, { language }).map((one) => one.voiceType)).toEqual(found);
  });

  const query: fc.Arbitrary<VoiceQuery> = fc.record(
    {
      gender: fc.constantFrom("male", "female"),
      age: fc.constantFrom("teenager", "adult", "middle-age"),
      category: fc.constantFrom("General", "AudioBook", "Dubbing"),
      language: fc.constantFrom("en", "zh", "zh-CN", "fr"),
      resourceId: fc.constantFrom("seed-tts-1.0", "seed-tts-2.0"),
    },
    { requiredKeys: [] },
  );

  test("several filters find what each of them finds", () => {
    fc.assert(
      fc.property(query, (asked) => {
        const each = Object.entries(asked).map(([name, value]) =>
          filterVoices(knownVoices, { [name]: value }),
        );
        const expected = knownVoices.filter((one) => each.every((found) => found.includes(one)));
        expect(encodeVoices(knownVoices, asked)).toEqual({ voices: expected, total: expected.length });
      }),
    );
  });

  test("a query without filters finds all, in order", () => {
    expect(encodeVoices(knownVoices, {})).toEqual({ voices: knownVoices, total: knownVoices.length });
  });
});
