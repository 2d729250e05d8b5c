import type { Json, JsonObject, SpeechResult } from "@manifold/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Progress } from "../../../packages/providers/src/adapters/adapter.ts";
import { speechstyle } from "../../../packages/providers/src/adapters/speech/speechstyle/index.ts";
import { readObjects } from "../../../packages/providers/src/adapters/speech/speechstyle/objects.ts";
import { hear, readGenerated } from "../../../packages/providers/src/adapters/speech/speechstyle/reply.ts";
import {
  encodeReading,
  encodeReference,
} from "../../../packages/providers/src/adapters/speech/speechstyle/request.ts";
import { reading, reference } from "../../operations/speech/kit.ts";
import { cut, json, pieces, startLine } from "./line.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const audio = (text: string): JsonObject => ({ code: 0, message: "", data: base64(text) });
const done: JsonObject = { code: 20000000, message: "ok", data: null, usage: { text_words: 6 } };
const lines = (objects: Json[]): string => objects.map((one) => JSON.stringify(one)).join("\n");
const bytesOf = (progress: unknown): string => {
  const { state, result } = progress as Extract<Progress<SpeechResult>, { state: "succeeded" }>;
  expect(state).toBe("succeeded");
  return result.audio.type === "bytes" ? Buffer.from(result.audio.bytes).toString() : result.audio.type;
};

describe("the body of a reading", () => {
  const plain = {
    user: { uid: "u" },
    req_params: {
      text: "Hello.",
      speaker: "en_male_tim_uranus_bigtts",
      audio_params: { format: "mp3", sample_rate: 24000 },
    },
  };
  test("of defaults says no more than it has to", () => {
    expect(encodeReading(reading(), "u")).toEqual(plain);
  });

  test.each([
    [{ format: "pcm" as const }, { format: "pcm" }],
    [{ sampleRate: 8000 }, { sample_rate: 8000 }],
    [{ loudnessRate: -50 }, { loudness_rate: -50 }],
    [{ speechRate: 100 }, {}],
    [{ speechRate: 100, pitch: -12 }, { speech_rate: 100 }],
  ])("audio parameters of %j", (more, params) => {
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
  ])("additions of %j are JSON text", (more, additions) => {
    const { req_params } = encodeReading(reading(more), "u") as { req_params: { additions?: string } };
    expect(req_params.additions === undefined ? undefined : JSON.parse(req_params.additions)).toEqual(
      additions,
    );
  });
});

describe("the body of a generation with reference", () => {
  test("says format and rate even where the caller does not", () => {
    expect(encodeReference(reference(), "m")).toEqual({
      model: "m",
      text_prompt: "Rain on a roof.",
      audio_config: { format: "mp3", sample_rate: 24000 },
    });
  });
  test("says everything under the wire's names, and judges no reference", () => {
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

describe("objects in bytes", () => {
  const readAll = (parts: Uint8Array[]): JsonObject[] => {
    const machine = readObjects();
    return [...parts.flatMap((part) => machine.step(part)), ...machine.end()];
  };
  // Member names stay plain: some versions of the runtime misread names that hold an escape.
  const text = fc.string({
    unit: fc.constantFrom("{", "}", '"', "\\", "[", "]", "a", "\n", "é", "\u{1f600}"),
  });
  const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "{", "}"), tie("value")),
    ),
  }));
  const object = fc.dictionary(fc.constantFrom("data", "{", "}"), anyValue);

  test("come out as they went in, wherever reads cut them", () => {
    fc.assert(
      fc.property(
        fc.array(object),
        fc.constantFrom("", "\n", "\r\n", ",", '"}]', " \\"),
        fc.array(fc.nat(), { maxLength: 12 }),
        (objects, between, cuts) => {
          const bytes = Buffer.from(objects.map((one) => JSON.stringify(one)).join(between));
          const at = cuts.map((cutAt) => cutAt % (bytes.length + 1)).sort((a, b) => a - b);
          const parts = [0, ...at].map((from, i) => bytes.subarray(from, at[i]));
          expect(readAll(parts)).toEqual(objects);
        },
      ),
    );
  });
  test("byte by byte", () => {
    const objects: JsonObject[] = [{ a: '{"\\}é\u{1f600}' }, { b: { c: ["\\\\"] } }];
    const bytes = Buffer.from(lines(objects));
    expect(readAll([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(objects);
  });
  test("an object without an end gives nothing, one without a bound is refused", () => {
    expect(readAll([Buffer.from('{"a": {"b": 1}')])).toEqual([]);
    const machine = readObjects(10);
    expect(() => machine.step(Buffer.from(`{"a":"${"x".repeat(10)}`))).toThrow(/larger than the limit/);
  });
});

describe("a reading", () => {
  test("is asked for by the model's name, the key and our own request id", async () => {
    const { line, got } = await startLine([pieces([lines([audio("ab"), done])], "application/json")], {
      headers: { "x-api-app-key": "constant" },
    });
    await speechstyle.submit(line, reading());
    expect(got).toHaveLength(1);
    expect(got[0]).toMatchObject({
      method: "POST",
      path: "/api/v3/tts/unidirectional",
      body: encodeReading(reading(), "pseudonym"),
      headers: {
        "x-api-key": "speech-key",
        "x-api-resource-id": "seed-tts-2.0",
        "x-control-require-usage-tokens-return": "*",
        "x-api-app-key": "constant",
      },
    });
    expect(got[0]?.headers["x-api-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("is put together from pieces that are cut anywhere", async () => {
    const text = lines([audio("ab"), { code: 0, sentence: { text: "x" } }, audio("cd"), done]);
    const thirds = [text.slice(0, 20), text.slice(20, 51), text.slice(51)];
    const { line } = await startLine([pieces(thirds, "application/json")]);
    const progress = await speechstyle.submit(line, reading({ format: "ogg_opus" }));
    expect(bytesOf(progress)).toBe("abcd");
    expect(progress).toMatchObject({ result: { mediaType: "audio/ogg", characters: 6 } });
  });

  test("comes as server-sent events where the service is set so", async () => {
    const events = [
      `event: 350\ndata: ${JSON.stringify({ code: 0, sentence: {} })}\n\n`,
      `event: 352\ndata: ${JSON.stringify(audio("ab"))}\n\nevent: 352\nda`,
      `ta: ${JSON.stringify(audio("cd"))}\n\n`,
      `event: 152\ndata: ${JSON.stringify(done)}\n\n`,
    ];
    const { line, got } = await startLine([pieces(events, "text/event-stream")], { events: true });
    expect(bytesOf(await speechstyle.submit(line, reading()))).toBe("abcd");
    expect(got[0]?.path).toBe("/api/v3/tts/unidirectional/sse");
  });

  test("fails by an event", async () => {
    const failed = { code: 45000001, message: "bad parameter" };
    const event = `event: 153\ndata: ${JSON.stringify(failed)}\n\n`;
    const { line } = await startLine([pieces([event], "text/event-stream")], { events: true });
    expect(await speechstyle.submit(line, reading())).toEqual({
      state: "failed",
      trouble: { kind: "refused", code: "45000001", message: "bad parameter" },
    });
  });

  test.each([
    [40402003, "refused", 1],
    [45000000, "refused", 1],
    [45000001, "refused", 1],
    [45000010, "misconfigured", 1],
    [45000030, "misconfigured", 1],
    [55000000, "unavailable", 2],
    [55000001, "unavailable", 2],
    [7, "unavailable", 1],
  ])("code %i with a good status: %s, after %i calls", async (code, kind, calls) => {
    const { line, got } = await startLine([json({ code, message: "as it is" })]);
    const progress = await speechstyle.submit(line, reading());
    expect(progress).toMatchObject({ state: "failed", trouble: { kind, code: String(code) } });
    expect(got).toHaveLength(calls);
  });

  test("what failed in passing is tried once more", async () => {
    const { line, got } = await startLine([
      json({ code: 55000000, message: "busy" }),
      pieces([lines([audio("ab"), done])], "application/json"),
    ]);
    expect(bytesOf(await speechstyle.submit(line, reading()))).toBe("ab");
    expect(got).toHaveLength(2);
  });

  test("audio before a failure is not delivered", async () => {
    const { line } = await startLine([
      pieces([lines([audio("ab"), { code: 45000001, message: "no" }])], "application/json"),
    ]);
    expect(await speechstyle.submit(line, reading())).toMatchObject({ state: "failed" });
  });

  test("no audio, and an end: failed", async () => {
    const { line } = await startLine([pieces([lines([audio(""), done])], "application/json")]);
    expect(await speechstyle.submit(line, reading())).toMatchObject({
      state: "failed",
      trouble: { kind: "unavailable", message: "The provider made no audio." },
    });
  });

  test.each([
    ["ends early", pieces([lines([audio("ab")])], "application/json")],
    ["is cut", cut(lines([audio("ab")]), "application/json")],
  ])("a stream that %s is a fault, never half a text", async (_, answer) => {
    const { line } = await startLine([answer]);
    await expect(speechstyle.submit(line, reading())).rejects.toMatchObject({ kind: "reset" });
  });

  test.each([
    [401, {}, "misconfigured"],
    [403, { code: 45000030, message: "not granted" }, "misconfigured"],
    [429, {}, "unavailable"],
    [500, "<html>", "unavailable"],
    [400, { header: { code: 45000001, message: "bad" } }, "refused"],
  ])("status %i: %j", async (status, body, kind) => {
    const { line } = await startLine([json(body, status)]);
    expect(await speechstyle.submit(line, reading())).toMatchObject({
      state: "failed",
      trouble: { kind, status },
    });
  });

  test("what the operator has done wrong is not the caller's to read, nor is the key", async () => {
    const { line } = await startLine([json({ code: 45000010, message: "Invalid key speech-key" })]);
    expect(JSON.stringify(await speechstyle.submit(line, reading()))).not.toContain("speech-key");
  });

  test("a call that is given up ends", async () => {
    const { line } = await startLine([() => {}], {}, { signal: AbortSignal.abort() });
    await expect(speechstyle.submit(line, reading())).rejects.toMatchObject({ kind: "cancelled" });
  });
});

describe("a generation with reference", () => {
  const sentence = { text: "Hi.", start_time: 0, end_time: 900, words: [] };
  const whole = {
    code: 0,
    message: "",
    audio: base64("sound"),
    url: "https://cdn.example.test/a.mp3?sign=1",
    duration: 3.2,
    original_duration: 3.5,
    subtitle: { text: "Hi.", utterances: [sentence] },
  };

  test("is answered with audio and all that is known of it", async () => {
    const { line, got } = await startLine([json(whole)], {}, { model: "upstream-audio" });
    const progress = await speechstyle.submit(line, reference({ enableSubtitle: true }));
    expect(bytesOf(progress)).toBe("sound");
    expect(progress).toMatchObject({
      result: {
        mediaType: "audio/mpeg",
        seconds: 3.2,
        billedSeconds: 3.5,
        providerUrl: whole.url,
        subtitle: { text: "Hi.", sentences: [{ text: "Hi.", startTime: 0, endTime: 900, words: [] }] },
      },
    });
    expect(got[0]).toMatchObject({ path: "/api/v3/tts/create", body: { model: "upstream-audio" } });
    expect(got[0]?.headers["x-api-key"]).toBe("speech-key");
  });

  test("an address alone is an answer", async () => {
    const { line } = await startLine([json({ ...whole, audio: undefined })]);
    expect(await speechstyle.submit(line, reference())).toMatchObject({
      state: "succeeded",
      result: { audio: { type: "url", url: whole.url }, providerUrl: whole.url },
    });
  });

  test.each([
    [45001116, "refused", 1],
    [45001115, "refused", 1],
    [45001131, "refused", 1],
    [45001105, "refused", 1],
    [45000030, "misconfigured", 1],
    [55000000, "unavailable", 2],
  ])("code %i, at the top or in a header: %s", async (code, kind, calls) => {
    for (const body of [{ code, message: "as it is" }, { header: { code, message: "as it is" } }]) {
      const { line, got } = await startLine([json(body)]);
      const progress = await speechstyle.submit(line, reference());
      expect(progress).toMatchObject({ state: "failed", trouble: { kind, code: String(code) } });
      expect(got).toHaveLength(calls);
    }
  });

  test.each([[{ code: 0 }], [{}], [[]], ["<html>"], [{ code: 0, audio: "", url: "" }]])(
    "%j is no audio",
    async (body) => {
      const { line } = await startLine([json(body)]);
      expect(await speechstyle.submit(line, reference())).toMatchObject({
        state: "failed",
        trouble: { kind: "unavailable" },
      });
    },
  );
});

test("whatever a provider answers is read without a throw", () => {
  const key = fc.constantFrom("code", "message", "data", "usage", "header", "audio", "url", "subtitle");
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<Json>(0, 20000000, -1, 0.5, "0", "x", "", null, true),
      fc.array(tie("value"), { maxLength: 2 }),
      fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 6 }), (body) => {
      for (const heard of hear(body))
        if (heard.type === "end") expect(Number.isInteger(heard.characters ?? 0)).toBe(true);
      const generated = readGenerated(body);
      if ("made" in generated) expect(generated.bytes ?? generated.made.providerUrl).toBeTruthy();
    }),
  );
});
