import { createManifold } from "@manifold-gateway/client/ai-sdk";
import { samples } from "@manifold-gateway/simulator";
import { APICallError, generateSpeech, transcribe } from "ai";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Options, startClient } from "../stage.ts";

beforeEach(() => void vi.stubGlobal("AI_SDK_LOG_WARNINGS", false));
afterEach(() => void vi.unstubAllGlobals());

const text = "Good morning.";
const audio = samples.wav(3);

const start = (more: Options = {}) => {
  const stage = startClient();
  return { ...stage, manifold: createManifold({ ...stage.options, ...more }) };
};

/** What a call is rejected with. */
const failureOf = (call: Promise<unknown>): Promise<APICallError> =>
  call.then(
    () => expect.fail("it was answered"),
    (error: APICallError) => error,
  );

describe("a speech model", () => {
  const speak = (
    { manifold }: ReturnType<typeof start>,
    model: string,
    options: Partial<Parameters<typeof generateSpeech>[0]> = {},
  ) =>
    generateSpeech({ model: manifold.speechModel(model), text, voice: "alloy", maxRetries: 0, ...options });

  it.each(["mp3", "wav", "pcm"])("speaks as %s", async (outputFormat) => {
    const stage = start();
    const { audio, warnings } = await speak(stage, "chatstyle/gpt-4o-mini-tts", { outputFormat, speed: 1.5 });
    expect(audio.uint8Array.length).toBeGreaterThan(500);
    expect(warnings).toEqual([]);
    expect(await stage.sent[0]!.json()).toMatchObject({ input: text, voice: "alloy", speed: 1.5 });
  });

  it("has what is lost among its warnings, by the names of the interface", async () => {
    const data = btoa("audio");
    const fetch = (): Response =>
      Response.json({
        candidates: [
          {
            content: { parts: [{ inlineData: { mimeType: "audio/L16;rate=24000", data } }] },
            finishReason: "STOP",
          },
        ],
      });
    const { audio, warnings } = await speak(start({ fetch }), "genstyle/a", {
      language: "en",
      speed: 2,
      instructions: "Calm.",
    });
    expect(new TextDecoder().decode(audio.uint8Array.subarray(44))).toBe("audio");
    expect(warnings).toEqual([
      { type: "unsupported", feature: "language" },
      expect.objectContaining({ type: "unsupported", feature: "speed" }),
      expect.objectContaining({ type: "compatibility", feature: "instructions" }),
      { type: "compatibility", feature: "outputFormat", details: "the model makes wav" },
    ]);
  });

  it("falls back, and has errors of the interface with the option that is wrong", async () => {
    const stage = start({ models: { aloud: ["chatstyle/sim-missing", "chatstyle/gpt-4o-mini-tts"] } });
    expect((await speak(stage, "aloud")).audio.uint8Array.length).toBeGreaterThan(500);
    const before = stage.sent.length;
    for (const [model, options, status, words] of [
      ["chatstyle/a", { outputFormat: "mp3_44100" }, 400, /outputFormat/],
      ["chatstyle/a", { voice: "" }, 400, /voice: is required/],
      ["genstyle/a", { outputFormat: "flac" }, 400, /outputFormat.*not flac/],
      ["msgstyle/a", {}, 404, /serves no speech/],
    ] as const) {
      const error = await failureOf(speak(stage, model, options));
      expect(APICallError.isInstance(error)).toBe(true);
      expect([error.statusCode, error.message]).toEqual([status, expect.stringMatching(words)]);
    }
    expect(stage.sent).toHaveLength(before);
  });

  it("has an error where its audio breaks off", async () => {
    const fetch = (): Response => {
      const pieces = ["first"];
      const body = new ReadableStream({
        pull(controller) {
          const piece = pieces.pop();
          if (piece) controller.enqueue(new TextEncoder().encode(piece));
          else controller.error(new TypeError("terminated"));
        },
      });
      return new Response(body, { headers: { "content-type": "audio/mpeg" } });
    };
    const error = await failureOf(speak(start({ fetch }), "chatstyle/a"));
    expect(APICallError.isInstance(error) && error.isRetryable).toBe(false);
  });
});

describe("a transcription model", () => {
  const hear = (
    { manifold }: ReturnType<typeof start>,
    model: string,
    options: Partial<Parameters<typeof transcribe>[0]> = {},
  ) => transcribe({ model: manifold.transcriptionModel(model), audio, maxRetries: 0, ...options });

  it.each(["chatstyle/whisper-1", "chatstyle/gpt-4o-transcribe", "genstyle/sim-text"])(
    "writes down a recording by %s, in bytes or in base64",
    async (model) => {
      const stage = start();
      const { text } = await hear(stage, model);
      expect(text.length).toBeGreaterThan(3);
      expect((await hear(stage, model, { audio: audio.toString("base64") })).text).toBe(text);
    },
  );

  it("has times where they are requested, and the options of this provider", async () => {
    const stage = start();
    const made = await hear(stage, "chatstyle/whisper-1", {
      timestampGranularities: ["word", "segment"],
      providerOptions: { manifold: { language: "en", prompt: "Names: Ann." } },
    });
    expect(made.durationInSeconds).toBeCloseTo(3, 1);
    expect(made.segments[0]).toMatchObject({
      startSecond: expect.any(Number),
      endSecond: expect.any(Number),
    });
    expect(made.words?.[0]).toMatchObject({ text: expect.any(String), startSecond: expect.any(Number) });
    expect(made.language).toBe("english");
    const form = await stage.sent[0]!.formData();
    expect([form.get("language"), form.get("prompt"), (form.get("file") as File).name]).toEqual([
      "en",
      "Names: Ann.",
      "audio.wav",
    ]);
  });

  it("has what is lost among its warnings", async () => {
    const { warnings } = await hear(start(), "genstyle/sim-text", {
      providerOptions: { manifold: { include: ["logprobs"] } },
    });
    expect(warnings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: "compatibility", feature: "audio" }),
        expect.objectContaining({ type: "unsupported", feature: "providerOptions/manifold/include" }),
      ]),
    );
  });

  it("falls back, and has errors of the interface", async () => {
    const stage = start({ models: { ear: ["chatstyle/sim-missing", "chatstyle/whisper-1"] } });
    expect((await hear(stage, "ear")).text.length).toBeGreaterThan(3);
    const before = stage.sent.length;
    const wrong = { providerOptions: { manifold: { task: "sing" } } };
    for (const [model, options, status, words] of [
      ["chatstyle/a", wrong, 400, /task/],
      ["msgstyle/a", {}, 404, /serves no transcripts/],
    ] as const) {
      const error = await failureOf(hear(stage, model, options));
      expect(APICallError.isInstance(error)).toBe(true);
      expect([error.statusCode, error.message]).toEqual([status, expect.stringMatching(words)]);
    }
    expect(stage.sent).toHaveLength(before);
  });
});
