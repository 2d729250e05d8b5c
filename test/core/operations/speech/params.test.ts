import { isRefused, schemaTypes } from "@manifold-gateway/core/capability";
import { capabilitiesSchema } from "@manifold-gateway/core/configuration";
import {
  checkSpeech,
  checkSpeechParams,
  fitSpeech,
  generationWithReferenceSchema,
  knownVoices,
  type SpeechAsk,
  speechJsonSchema,
  textToSpeechSchema,
} from "@manifold-gateway/core/operations";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";

const quick = capabilitiesSchema.parse({
  strictParams: true,
  speech: {
    params: {
      format: { type: "enum", values: ["mp3", "flac"], default: "mp3" },
      sampleRate: { type: "int", min: 16000, max: 44100 },
      speechRate: { type: "range", min: -10, max: 500 },
      enableSubtitle: { type: "bool", default: true },
    },
    rules: [{ type: "excludes", if: { field: "speechRate" }, not: [{ field: "sampleRate", is: [44100] }] }],
  },
});

const common = {
  format: ["mp3", "wav", "pcm", "flac", 1],
  sampleRate: [8000, 16000, 22050, 44100, 48000, 11025],
  speechRate: [-50, -10, 0, 100, 101, 0.5, "1"],
  loudnessRate: [0, 500],
};
const readingBy = (voiceType: string) =>
  changed(
    { voiceType, text: "Hello." },
    {
      ...common,
      voiceType: ["en_male_adam_mars_bigtts", "en_male_tim_uranus_bigtts", "nobody", "", undefined],
      text: ["", "a".repeat(1000), "a".repeat(1001), undefined],
      explicitLanguage: ["en", "xx"],
      contextTexts: [[], ["softly"], ["a", "b"], "a"],
    },
  );
const reference = changed(
  { model: "seed-audio-1.0-multilingual", textPrompt: "Say hello." },
  {
    ...common,
    model: ["seed-tts-2.0", undefined],
    textPrompt: ["", undefined],
    references: [[], [1], [1, 2, 3, 4]],
    enableSubtitle: [true, false, "yes"],
  },
);

/** A body with up to three fields of other values, so that most faults stand alone; `undefined` leaves one out. */
function changed(valid: object, others: Record<string, unknown[]>): fc.Arbitrary<object> {
  const fields = Object.keys(others).map((name) =>
    fc.constantFrom(...(others[name] ?? [])).map((value) => [name, value] as const),
  );
  return fc
    .subarray(fields, { maxLength: 3 })
    .chain((some) => fc.tuple(...some))
    .map((changes) =>
      Object.fromEntries(
        Object.entries({ ...valid, ...Object.fromEntries(changes) }).filter(
          ([, value]) => value !== undefined,
        ),
      ),
    );
}

test.each([
  ["seed-tts-1.0", readingBy("en_male_adam_mars_bigtts"), textToSpeechSchema],
  ["seed-tts-2.0", readingBy("en_male_tim_uranus_bigtts"), textToSpeechSchema],
  ["seed-audio-1.0-multilingual", reference, generationWithReferenceSchema],
])("the JSON Schema of %s accepts the bodies that its route accepts", (model, bodies, route) => {
  for (const capabilities of [undefined, quick]) {
    const accepts = new Ajv2020({ strict: false }).compile(
      speechJsonSchema(model, capabilities, knownVoices),
    );
    fc.assert(
      fc.property(bodies, (body) => {
        const read = route.safeParse(body);
        const ask = read.data as SpeechAsk | undefined;
        const isOurs = (name: string): boolean =>
          knownVoices.some(({ voiceType, resourceId }) => voiceType === name && resourceId === model);
        const isTaken =
          ask !== undefined &&
          (ask.product !== "text-to-speech" || isOurs(ask.voiceType)) &&
          checkSpeech(ask, knownVoices).length === 0 &&
          !isRefused(checkSpeechParams(capabilities, ask, body, model));
        expect(accepts(body)).toBe(isTaken);
      }),
      { numRuns: 200 },
    );
  }
});

test("a parameter that the model does not take is left out, and others have the model's default", () => {
  const { strictParams: _, ...lenient } = quick;
  const body = {
    model: "seed-audio-1.0-multilingual",
    textPrompt: "Hi.",
    loudnessRate: 9,
    format: "mp3",
  } as const;
  const ask = generationWithReferenceSchema.parse(body);
  const found = checkSpeechParams(lenient, ask, body, body.model);
  expect(found.map(({ path, effect }) => [path, effect])).toEqual([["/loudnessRate", "drop"]]);
  expect(fitSpeech(ask, lenient, body, found)).toEqual({ ...ask, loudnessRate: 0, enableSubtitle: true });
  expect(fitSpeech(ask, undefined, body, [])).toEqual(ask);
});

test("the type of a body has the values and bounds of its schema", () => {
  const types = schemaTypes(speechJsonSchema("seed-audio-1.0-multilingual", quick, []), "SpeakParams");
  expect(types).toContain('  model: "seed-audio-1.0-multilingual";');
  expect(types).toContain('  format?: "mp3";');
  expect(types).toContain("  /** At least -10. At most 100. Default: 0. */\n  speechRate?: number;");
  expect(types).not.toContain("loudnessRate");
});
