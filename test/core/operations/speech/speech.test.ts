import type { Json } from "@manifold-gateway/core/codec";
import {
  checkSpeech,
  countsOfSpeech,
  encodeAudioJob,
  estimateSpeech,
  knownVoices,
  modelOfSpeech,
  rateOf,
  readSubtitle,
  type SpeechMade,
} from "@manifold-gateway/core/operations";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countCharacters } from "../../../../packages/core/src/operations/characters.ts";
import { LONGEST_SPEECH } from "../../../../packages/core/src/operations/speech/index.ts";
import type { Subtitle } from "../../../../packages/core/src/operations/speech/subtitle.ts";
import { reading, reference } from "./kit.ts";

const second = "en_male_tim_uranus_bigtts";
const first = "en_male_adam_mars_bigtts";

describe("what a voice takes", () => {
  test.each([
    ["a 2.0 voice with a context", { voiceType: second, contextTexts: ["softly"] }, undefined],
    ["a 2.0 voice without one", { voiceType: second }, undefined],
    ["a 1.0 voice without a context", { voiceType: first }, undefined],
    ["a 1.0 voice with an empty list", { voiceType: first, contextTexts: [] }, undefined],
    ["a 1.0 voice with a context", { voiceType: first, contextTexts: ["softly"] }, "/contextTexts"],
    ["an unknown voice", { voiceType: "nobody", contextTexts: ["softly"] }, "/voiceType"],
    ["a name that every object has", { voiceType: "constructor" }, "/voiceType"],
  ])("the parameters of a voice are checked: %s", (_, more, path) => {
    const issues = checkSpeech(reading(more), knownVoices);
    expect(issues.map((issue) => issue.path)).toEqual(path === undefined ? [] : [path]);
    for (const { message } of issues) expect(message).toContain(path?.slice(1));
  });

  test("a refused context names the model and the models that take one", () => {
    const [issue] = checkSpeech(reading({ voiceType: first, contextTexts: ["softly"] }), knownVoices);
    expect(issue?.message).toContain("seed-tts-2.0");
    expect(issue?.message).toContain("seed-tts-1.0");
  });

  test("references are never judged here", () => {
    expect(checkSpeech(reference({ references: [1, { speaker: "nobody" }] }), [])).toEqual([]);
  });

  test.each([
    [reading({ voiceType: second }), "seed-tts-2.0"],
    [reading({ voiceType: first }), "seed-tts-1.0"],
    [reading({ voiceType: "nobody" }), undefined],
    [reference(), "seed-audio-1.0-multilingual"],
  ])("the model follows from the request", (ask, model) => {
    expect(modelOfSpeech(ask, knownVoices)).toBe(model);
  });
});

test.each([
  [reading({ speechRate: 50 }), 0],
  [reading({ speechRate: 50, pitch: 1 }), 50],
  [reading({ speechRate: -50, pitch: -12 }), -50],
  [reference({ speechRate: 50 }), 50],
  [reference({ speechRate: 50, pitchRate: 3 }), 50],
])("a speech rate acts on a reading only together with a pitch", (ask, rate) => {
  expect(rateOf(ask)).toBe(rate);
});

describe("counts of speech", () => {
  test("characters are code points", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(countCharacters(text)).toBe(Array.from(text).length);
      }),
    );
  });

  const made = (more: Partial<SpeechMade> = {}): SpeechMade => ({ mediaType: "audio/mpeg", ...more });
  test.each([
    [reading({ text: "ab \u{1f600}" }), made(), { characters: 4 }],
    [reading({ text: "abcd" }), made({ characters: 3 }), { characters: 3 }],
    [reading({ text: "abcd" }), made({ characters: 4_000 }), { characters: 4 }],
    [reading({ text: "abcd" }), made({ seconds: 3 }), { characters: 4 }],
    [reference(), made({ seconds: 3, billedSeconds: 4.5 }), { seconds: 4.5 }],
    [reference(), made({ seconds: 3 }), { seconds: 3 }],
    [reference(), made({ billedSeconds: 1e9 }), { seconds: LONGEST_SPEECH }],
    [reference(), made(), { seconds: LONGEST_SPEECH, estimated: true }],
  ])("counts follow what was made", (ask, result, counts) => {
    expect(countsOfSpeech(ask, result)).toEqual(counts);
  });

  test("no count is more than was held for it", () => {
    const count = fc.option(fc.nat(), { nil: undefined });
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), count, count, (text, characters, billedSeconds) => {
        for (const ask of [reading({ text }), reference({ textPrompt: text })]) {
          const held = estimateSpeech(ask);
          const came = countsOfSpeech(ask, made({ characters, billedSeconds }));
          expect(came.characters ?? 0).toBeLessThanOrEqual(held.characters ?? 0);
          expect(came.seconds ?? 0).toBeLessThanOrEqual(held.seconds ?? 0);
        }
      }),
    );
  });
});

describe("subtitles", () => {
  const words = [{ text: "Hi", startTime: 0, endTime: 120 }];
  const subtitle: Subtitle = {
    text: "Hi there.",
    sentences: [{ text: "Hi there.", startTime: 0, endTime: 400, words }],
  };
  const snake = [{ text: "Hi", start_time: 0, end_time: 120 }];
  test.each<[string, Json]>([
    ["camel case", subtitle as unknown as Json],
    [
      "snake case",
      { text: "Hi there.", sentences: [{ text: "Hi there.", start_time: 0, end_time: 400, words: snake }] },
    ],
    [
      "utterances",
      { text: "Hi there.", utterances: [{ text: "Hi there.", start_time: 0, end_time: 400, words: snake }] },
    ],
    ["no text of its own", { utterances: [{ text: "Hi there.", startTime: 0, endTime: 400, words }] }],
  ])("a subtitle is read: %s", (_, wire) => {
    expect(readSubtitle(wire)).toEqual(subtitle);
  });
  test.each([[undefined], [null], [""], [[]], [{}], [{ text: 1, sentences: "x" }]])(
    "a value of %j is not a subtitle",
    (wire) => {
      expect(readSubtitle(wire)).toBeUndefined();
    },
  );
  test("sentences without times or words keep their text", () => {
    expect(readSubtitle({ text: "a", sentences: [{ text: "a" }, 7] })).toEqual({
      text: "a",
      sentences: [
        { text: "a", words: [] },
        { text: "", words: [] },
      ],
    });
  });
  test("a transcript that is nested very deep is still read", () => {
    const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`) as Json;
    expect(readSubtitle({ text: "a", sentences: [{ text: "a", words: deep }] })?.text).toBe("a");
  });
  test("any subtitle is read without a throw, and reading the result changes nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (text, sentences) => {
        const once = readSubtitle({ text, sentences } as Json);
        expect(readSubtitle(once as Json | undefined)).toEqual(once);
      }),
    );
  });
});

describe("the audio job", () => {
  const output: SpeechMade = {
    mediaType: "audio/mpeg",
    seconds: 3.2,
    billedSeconds: 3.5,
    characters: 6,
    providerUrl: "https://cdn.example.test/a?sig=1",
    subtitle: { text: "Hi.", sentences: [] },
  };
  const whole = {
    generationId: "g",
    audioUrl: "https://files.example.test/a",
    output,
    enableSubtitle: true,
    error: "no",
  };
  const [said, refd] = ["text-to-speech", "generation-with-reference"] as const;
  const rest = { durationSeconds: 3.2, originalDurationSeconds: 3.5, providerUrl: output.providerUrl };
  const { audioUrl } = whole;
  test.each([
    [{ product: said, status: "queued" }, {}],
    [{ product: refd, status: "processing" }, {}],
    [{ product: said, status: "succeeded" }, { audioUrl }],
    [
      { product: refd, status: "succeeded" },
      { audioUrl, ...rest, subtitle: output.subtitle },
    ],
    [
      { product: refd, status: "succeeded", enableSubtitle: false },
      { audioUrl, ...rest },
    ],
    [{ product: refd, status: "succeeded", output: undefined }, { audioUrl }],
    [{ product: said, status: "failed" }, { error: "no" }],
    [{ product: refd, status: "failed" }, { error: "no" }],
    [{ product: refd, status: "failed", error: undefined }, { error: "The generation failed." }],
  ] as const)("the audio job %j has its own members", (state, more) => {
    const { product, status } = state;
    expect(encodeAudioJob({ ...whole, ...state })).toEqual({ generationId: "g", product, status, ...more });
  });
});
