import { type JsonObject, voicesSchema } from "@manifold/core";
import { describe, expect, test } from "vitest";
import { listVoices, readVoice } from "../../../packages/providers/src/adapters/speech/voices.ts";
import { json, startLine } from "./line.ts";

const speaker = {
  VoiceType: "zh_female_test_uranus_bigtts",
  Name: "Test",
  Avatar: "https://cdn.example.test/a.png",
  Description: "A test.",
  Gender: "女",
  Age: "青年",
  Categories: [{ Categories: [{ Category: "有声阅读" }, "通用场景"] }],
  Languages: [{ Language: "zh-cn", Text: "你好", Flag: "🇨🇳" }],
  TrialURL: "https://cdn.example.test/a.mp3",
  ResourceID: "seed-tts-2.0",
};
const signing = {
  accessKey: "AK",
  secretKey: "SK",
  region: "cn-beijing",
  service: "speech_saas_prod",
};

describe("a speaker of the provider's list", () => {
  test("reads as a voice of the catalog", () => {
    expect(readVoice(speaker)).toEqual({
      voiceType: "zh_female_test_uranus_bigtts",
      name: "Test",
      gender: "female",
      age: "adult",
      categories: ["AudioBook", "General"],
      languages: [{ language: "zh-cn", text: "你好", flag: "🇨🇳" }],
      avatar: "https://cdn.example.test/a.png",
      trialUrl: "https://cdn.example.test/a.mp3",
      description: "A test.",
      resourceId: "seed-tts-2.0",
      capabilities: { contextTexts: true },
    });
  });
  test.each<[JsonObject, object]>([
    [
      { Gender: "Male", Age: "Middle-aged" },
      { gender: "male", age: "middle-age" },
    ],
    [{ Age: "儿童" }, { age: "child" }],
    [{ Age: "少年/少女" }, { age: "teenager" }],
    [{ ResourceID: "seed-tts-1.0" }, { resourceId: "seed-tts-1.0", capabilities: { contextTexts: false } }],
    [{ Categories: ["Social Media", "audio_book"] }, { categories: ["SocialMedia", "AudioBook"] }],
    [{ Categories: [] }, { categories: ["General"] }],
    [{ Categories: ["something new"] }, { categories: ["General"] }],
  ])("%j", (more, voice) => {
    expect(readVoice({ ...speaker, ...more })).toMatchObject(voice);
  });
  test.each<[JsonObject]>([
    [{ Gender: "constructor" }],
    [{ Age: "" }],
    [{ ResourceID: "seed-icl-1.0" }],
    [{ VoiceType: "" }],
    [{ Languages: [] }],
    [{ Avatar: "not a URL" }],
  ])("%j is beyond the catalog's words", (more) => {
    expect(readVoice({ ...speaker, ...more })).toBeUndefined();
  });
});

describe("the list", () => {
  const page = (from: number, count: number, Total: number) =>
    json({
      ResponseMetadata: {},
      Result: {
        Total,
        Speakers: Array.from({ length: count }, (_, i) => ({ ...speaker, VoiceType: `v${from + i}` })),
      },
    });

  test("is read page by page, signed", async () => {
    const { line, got } = await startLine([page(0, 100, 130), page(100, 30, 130)], { base: "", signing });
    const list = await listVoices(line, ["seed-tts-2.0"]);
    expect(voicesSchema.parse("voices" in list && list.voices)).toHaveLength(130);
    expect(got.map((one) => one.body)).toEqual([
      { ResourceIDs: ["seed-tts-2.0"], Page: 1, Limit: 100 },
      { ResourceIDs: ["seed-tts-2.0"], Page: 2, Limit: 100 },
    ]);
    expect(got[0]?.path).toBe("/?Action=ListSpeakers&Version=2025-05-20");
    expect(got[0]?.headers.authorization).toContain("AK/20260102/cn-beijing/speech_saas_prod/request");
  });

  test("that never ends is read to a bound", async () => {
    const { line, got } = await startLine([page(0, 1, 1e9)], { base: "", signing });
    await listVoices(line, ["seed-tts-2.0"]);
    expect(got).toHaveLength(50);
  });

  test("names whom it cannot read, and each voice once", async () => {
    const Speakers = [speaker, speaker, { ...speaker, VoiceType: "odd", Age: "?" }];
    const { line } = await startLine([json({ Result: { Total: 3, Speakers } })], { base: "", signing });
    const list = await listVoices(line, ["seed-tts-2.0"]);
    expect(list).toEqual({ voices: [readVoice(speaker)], unread: ["odd"] });
  });

  test("that is refused is trouble", async () => {
    const error = { Code: "AccessDenied", Message: "no" };
    const { line } = await startLine([json({ ResponseMetadata: { Error: error } }, 403)], {
      base: "",
      signing,
    });
    expect(await listVoices(line, [])).toMatchObject({ trouble: { kind: "misconfigured", status: 403 } });
  });
});
