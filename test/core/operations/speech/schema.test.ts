import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { generationWithReferenceSchema, textToSpeechSchema } from "@manifold-gateway/core/operations";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readingLanguages } from "../../../../packages/core/src/operations/speech/index.ts";

const reading = { voiceType: "en_male_tim_uranus_bigtts", text: "Hello." };
const reference = { model: "seed-audio-1.0-multilingual", textPrompt: "Rain on a roof." };

/** `[field, what is taken, what is refused, what the refusal says]` */
type Row = [field: string, taken: Json[], refused: Json[], says: RegExp];

const whole = (least: number, most: number): [Json[], Json[], RegExp] => [
  [least, 0, most],
  [least - 1, most + 1, 1.5, "1", null, true, Number.MAX_VALUE],
  new RegExp(`must be an integer from ${least} to ${most}`),
];
const flag: [Json[], Json[], RegExp] = [[true, false], ["true", 1, null], /must be true or false/];
const oneOf = (words: readonly Json[], others: Json[]): [Json[], Json[], RegExp] => [
  [...words],
  [...others, null, 7, {}],
  new RegExp(`must be one of ${words.join(", ")}`),
];
const length = (most: number): [Json[], Json[], RegExp] => [
  ["x", "x".repeat(most), "\u{1f600}".repeat(most), " "],
  ["", "x".repeat(most + 1), "\u{1f600}".repeat(most + 1), 7, null, ["x"]],
  new RegExp(`1 to ${most} characters`),
];

const readingRows: Row[] = [
  ["voiceType", ["a"], ["", 1, null], /must be a voiceType|is required: a voiceType/],
  ["text", ...length(1000)],
  ["format", ...oneOf(["mp3", "ogg_opus", "pcm"], ["wav", "MP3", ""])],
  ["sampleRate", ...oneOf([8000, 16000, 22050, 24000, 32000, 44100, 48000], [0, 11025, "24000"])],
  ["speechRate", ...whole(-50, 100)],
  ["loudnessRate", ...whole(-50, 100)],
  ["pitch", ...whole(-12, 12)],
  ["silenceDuration", ...whole(0, 30_000)],
  ["enableLanguageDetector", ...flag],
  ["explicitLanguage", ...oneOf(readingLanguages, ["en-US", "pt", "ZH"])],
  ["disableMarkdownFilter", ...flag],
  ["disableEmojiFilter", ...flag],
  [
    "contextTexts",
    [[], ["softly"], [""]],
    [["a", "b"], "softly", [1], null],
    /at most 1 string|must be a string/,
  ],
];

const referenceRows: Row[] = [
  [
    "model",
    ["seed-audio-1.0-multilingual"],
    ["seed-audio-1.0", "", null],
    /must be seed-audio-1\.0-multilingual/,
  ],
  ["textPrompt", ...length(3000)],
  [
    "references",
    // The shape of an item is the provider's to judge.
    [[], [{}], [1, "x", null], [{ speaker: "a", audioUrl: "b", anything: [1] }, {}, {}]],
    [[{}, {}, {}, {}], {}, "x", null],
    /at most 3 references/,
  ],
  ["format", ...oneOf(["mp3", "wav", "ogg_opus", "pcm"], ["flac", ""])],
  ["sampleRate", ...oneOf([8000, 16000, 24000, 32000, 44100, 48000], [22050, "24000"])],
  ["speechRate", ...whole(-50, 100)],
  ["loudnessRate", ...whole(-50, 100)],
  ["pitchRate", ...whole(-12, 12)],
  ["enableSubtitle", ...flag],
];

describe.each([
  ["text-to-speech", textToSpeechSchema, reading, readingRows],
  ["generation-with-reference", generationWithReferenceSchema, reference, referenceRows],
] as const)("the body of %s", (_, schema, least, rows) => {
  describe.each(rows)("the field %s", (field, taken, refused, says) => {
    test.each(taken.map((value) => ({ value })))("the field takes $value", ({ value }) => {
      const read = schema.safeParse({ ...least, [field]: value });
      expect(read.error).toBeUndefined();
      expect(read.data).toHaveProperty([field], value);
    });
    test.each(refused.map((value) => ({ value })))(
      "the field refuses $value and says what is allowed",
      ({ value }) => {
        const read = schema.safeParse({ ...least, [field]: value });
        expect(read.error?.issues.length).toBeGreaterThan(0);
        for (const issue of read.error?.issues ?? []) {
          expect(issue.path[0]).toBe(field);
          expect(issue.message).toMatch(says);
        }
      },
    );
  });

  test.each(Object.keys(least))("the field %s is required", (field) => {
    const body: JsonObject = { ...least };
    delete body[field];
    const read = schema.safeParse(body);
    expect(read.error?.issues.map((issue) => issue.path)).toEqual([[field]]);
  });

  test("unknown fields are stripped, and known ones do not depend on them", () => {
    const known = schema.parse(least);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (more) => {
        const fields = rows.map(([field]) => field);
        const unknown = Object.fromEntries(Object.entries(more).filter(([key]) => !fields.includes(key)));
        expect(schema.parse({ ...unknown, ...least })).toEqual(known);
      }),
    );
  });

  test("any body is read without a throw", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => typeof schema.safeParse(value).success === "boolean"));
    expect(schema.safeParse([]).success).toBe(false);
  });
});

test("references are taken however deep they are", () => {
  const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`) as Json;
  const read = generationWithReferenceSchema.parse({ ...reference, references: [deep] });
  expect(read.references?.[0]).toBe(deep);
});

test("a reading has defaults", () => {
  expect(textToSpeechSchema.parse(reading)).toEqual({
    product: "text-to-speech",
    ...reading,
    format: "mp3",
    sampleRate: 24000,
    speechRate: 0,
    loudnessRate: 0,
    pitch: 0,
    silenceDuration: 0,
    enableLanguageDetector: false,
    disableMarkdownFilter: false,
    disableEmojiFilter: false,
  });
});

test("a generation with reference has defaults", () => {
  expect(generationWithReferenceSchema.parse(reference)).toEqual({
    product: "generation-with-reference",
    ...reference,
    format: "mp3",
    speechRate: 0,
    loudnessRate: 0,
    pitchRate: 0,
    enableSubtitle: false,
  });
});
