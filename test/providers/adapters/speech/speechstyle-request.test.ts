import { encodeReading, encodeReference } from "@manifold-gateway/core/operations";
import { describe, expect, test } from "vitest";
import { reading, reference } from "../../../core/operations/speech/kit.ts";

describe("the body of a reading", () => {
  const plain = {
    user: { uid: "u" },
    req_params: {
      text: "Hello.",
      speaker: "en_male_tim_uranus_bigtts",
      audio_params: { format: "mp3", sample_rate: 24000 },
    },
  };
  test("the body of a default reading has only what is required", () => {
    expect(encodeReading(reading(), "u")).toEqual(plain);
  });

  test.each([
    [{ format: "pcm" as const }, { format: "pcm" }],
    [{ sampleRate: 8000 }, { sample_rate: 8000 }],
    [{ loudnessRate: -50 }, { loudness_rate: -50 }],
    [{ speechRate: 100 }, {}],
    [{ speechRate: 100, pitch: -12 }, { speech_rate: 100 }],
  ])("the body of a reading has audio parameters of %j", (more, params) => {
    const body = encodeReading(reading(more), "u") as typeof plain;
    expect(body.req_params.audio_params).toEqual({ ...plain.req_params.audio_params, ...params });
  });

  test.each([
    [{ silenceDuration: 30_000 }, { silence_duration: 30_000 }],
    [{ enableLanguageDetector: true }, { enable_language_detector: true }],
    [{ explicitLanguage: "es-mx" }, { explicit_language: "es-mx" }],
    [{ explicitLanguage: "zh" }, { explicit_language: "zh-cn" }],
    [{ disableMarkdownFilter: true }, { disable_markdown_filter: true }],
    [{ disableEmojiFilter: true }, { disable_emoji_filter: true }],
    [{ pitch: 12 }, { post_process: { pitch: 12 } }],
    [{ contextTexts: ["softly"] }, { context_texts: ["softly"] }],
    [{ contextTexts: [] }, undefined],
  ])("the body of a reading has additions of %j as JSON text", (more, additions) => {
    const { req_params } = encodeReading(reading(more), "u") as { req_params: { additions?: string } };
    expect(req_params.additions === undefined ? undefined : JSON.parse(req_params.additions)).toEqual(
      additions,
    );
  });
});

describe("the body of a generation with reference", () => {
  test("the body of a generation has format and rate even where the caller gives none", () => {
    expect(encodeReference(reference(), "m")).toEqual({
      model: "m",
      text_prompt: "Rain on a roof.",
      audio_config: { format: "mp3", sample_rate: 24000 },
    });
  });
  test("the body of a generation has everything under the wire's names, and judges no reference", () => {
    const ask = reference({
      references: [
        { speaker: "s" },
        { audioUrl: "https://a.test", audioData: "AA", imageUrl: "b", imageData: "c", other: 1 },
        "odd",
      ],
      format: "wav",
      sampleRate: 48000,
      speechRate: -50,
      loudnessRate: 100,
      pitchRate: 3,
      enableSubtitle: true,
    });
    expect(encodeReference(ask, "m")).toEqual({
      model: "m",
      text_prompt: "Rain on a roof.",
      references: [
        { speaker: "s" },
        { audio_url: "https://a.test", audio_data: "AA", image_url: "b", image_data: "c", other: 1 },
        "odd",
      ],
      audio_config: {
        format: "wav",
        sample_rate: 48000,
        speech_rate: -50,
        loudness_rate: 100,
        pitch_rate: 3,
        enable_subtitle: true,
      },
    });
  });
});
