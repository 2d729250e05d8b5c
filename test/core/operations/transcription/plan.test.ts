import type { JsonObject } from "@manifold-gateway/core/codec";
import {
  chatstyleTranscription as chat,
  fromForm,
  planTranscription,
  type TranscriptFormat,
  type TranscriptionPlan,
  type TranscriptionUsage,
  transcriptionOperation,
} from "@manifold-gateway/core/operations";
import { Rejection } from "@manifold-gateway/core/plan";
import { costOf } from "@manifold-gateway/core/pricing";
import { transcriptionModels } from "@manifold-gateway/providers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  estimateTranscription,
  secondsOf,
  transcriptionUnit,
  usageOfTranscription,
} from "../../../../packages/core/src/operations/transcription/estimate.ts";
import { anyRequest, recording } from "./arbitraries.ts";

const genstyle = transcriptionOperation.protocols.genstyle!;

/** Plans a request for a known model. */
function plan(model: string, value: JsonObject, file: object = {}): TranscriptionPlan | Rejection {
  const { capabilities } = transcriptionModels[model] ?? {};
  return planTranscription(
    { codec: chat, model, value: { ...value, file: { ...recording, ...file } } },
    { codec: model.startsWith("gemini") ? genstyle : chat, model, capabilities },
  );
}
const sent = (planned: TranscriptionPlan | Rejection): JsonObject => {
  if (planned instanceof Rejection) throw planned;
  return planned.calls[0]!.value;
};
const refused = (planned: TranscriptionPlan | Rejection): string =>
  planned instanceof Rejection ? planned.message : "";

describe("plans of transcriptions", () => {
  it.each<[model: string, requested: TranscriptFormat, given: TranscriptFormat | "none"]>([
    ["whisper-1", "srt", "srt"],
    ["groq/whisper-large-v3", "srt", "verbose_json"],
    ["groq/whisper-large-v3", "vtt", "verbose_json"],
    ["gpt-4o-transcribe", "text", "json"],
    ["gpt-4o-transcribe", "srt", "none"],
    ["gpt-4o-transcribe-diarize", "diarized_json", "diarized_json"],
    ["whisper-1", "diarized_json", "none"],
  ])("%s is asked for %s as %s", (model, response_format, given) => {
    const planned = plan(model, { response_format });
    if (given === "none") expect(refused(planned)).toContain("response_format");
    else {
      expect(sent(planned).response_format).toBe(given);
      expect(planned).toMatchObject({ requested: response_format });
    }
  });

  it.each(["whisper-1", "gpt-4o-transcribe"])(
    "times are left out, and told, where the answer has none: %s",
    (model) => {
      const planned = plan(model, { response_format: "json", timestamp_granularities: ["segment"] });
      expect(sent(planned)).not.toHaveProperty("timestamp_granularities");
      expect(planned).toMatchObject({
        lost: { losses: [{ path: "/timestamp_granularities", why: "unsupported" }] },
      });
    },
  );

  it("a recording that a model does not take is refused with its limits", () => {
    expect(refused(plan("whisper-1", {}, { mediaType: "audio/aac" }))).toMatch(/file.*audio\/aac/);
    expect(refused(plan("whisper-1", {}, { bytes: 26_214_401 }))).toMatch(/file.*26214400/);
    expect(refused(plan("gpt-4o-transcribe", {}, { seconds: 1501 }))).toMatch(/file.*1500/);
    expect(refused(plan("gemini", {}, { mediaType: "video/webm" }))).toMatch(/file.*only audio\/wav/);
    expect(refused(plan("gemini", {}, { mediaType: "audio/webm" }))).toBe("");
    expect(refused(plan("gpt-4o-transcribe", { task: "translate" }))).toContain("task");
  });

  it("a model of text is reported as one, and has no subtitles to give", () => {
    const planned = plan("gemini", { language: "en" });
    expect(planned).toMatchObject({ lost: { losses: [{ path: "/file", why: "approximated" }] } });
    expect(refused(plan("gemini", { response_format: "srt" }))).toContain('"srt"');
  });

  it("a form is read as the values that its texts stand for", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { file: _, ...wire } = chat.request.encode(request, () => {});
        const texts = JSON.parse(
          JSON.stringify(wire, (_, value) => (typeof value === "object" ? value : String(value))),
        );
        expect(fromForm(texts, chat.request.schema)).toEqual(wire);
      }),
    );
    const strange = { temperature: "warm", stream: "yes", chunking_strategy: "{", constructor: "a" };
    expect(fromForm(strange, chat.request.schema)).toEqual(strange);
    expect(fromForm({ temperature: "", languages: "en" }, chat.request.schema)).toEqual({
      temperature: "",
      languages: ["en"],
    });
  });
});

describe("what a transcription costs", () => {
  const meter = fc.record(
    {
      by: fc.constant("sound" as const),
      least: fc.nat(60),
      step: fc.constantFrom(0.001, 1, 15, 60),
    },
    { requiredKeys: ["by"] },
  );
  const seconds = fc.double({ min: 0, max: 7200, noNaN: true });

  it("no charge by the second is above the hold, whatever the provider reports", () => {
    fc.assert(
      fc.property(seconds, meter, fc.double({ min: 0, max: 2e6, noNaN: true }), (length, meter, reported) => {
        const request = { model: "m", file: { ...recording, seconds: length } };
        const held = estimateTranscription(request, { tokensPerSecond: 17, meter }).seconds;
        const used = usageOfTranscription({ seconds: reported }, request, {
          tokensPerSecond: 17,
          meter,
          sells: "seconds",
        });
        expect(used.seconds).toBeLessThanOrEqual(held);
        expect(used.seconds).toBeGreaterThanOrEqual(meter.least ?? 0);
        expect(used.estimated).toBeUndefined();
      }),
    );
  });

  it("an unknown length is held at the longest that its bytes can be", () => {
    const { seconds: _, ...file } = recording;
    expect(secondsOf(file)).toBe(96);
    expect(secondsOf(recording)).toBe(3);
  });

  it("tokens that no provider reported are estimated where they are sold, and only there", () => {
    const request = { model: "m", file: recording };
    const terms = { tokensPerSecond: 10 };
    const tokens = usageOfTranscription(undefined, request, { ...terms, sells: "tokens" });
    expect(tokens).toMatchObject({ audioInput: 30, estimated: true });
    const timed = usageOfTranscription(undefined, request, { ...terms, sells: "seconds" });
    expect(timed).toMatchObject({ input: 0, output: 0, seconds: 3 });
    const reported = { input: 40, audioInput: 30, output: 2 };
    expect(usageOfTranscription(reported, request, { ...terms, sells: "tokens" })).toMatchObject(reported);
  });

  it("every way to report usage is charged once, and tokens of sound at their price", () => {
    const request = { model: "m", file: recording, prompt: "Of the sea." };
    const text = 3;
    const price = { input: 2_000_000, audioInput: 6_000_000, output: 10_000_000 };
    const cost = (reported: TranscriptionUsage | undefined, file = recording) => {
      const terms = { tokensPerSecond: 10, sells: transcriptionUnit(price) };
      return costOf(usageOfTranscription(reported, { ...request, file }, terms), price);
    };
    const details = { input: 33, audioInput: 30, output: 2 };
    const exact = 30 * 6 + text * 2 + 2 * 10;
    expect(cost(details)).toBe(exact);
    expect(cost({ ...details, seconds: 3 })).toBe(exact);
    // Without details: no request has more text than its prompt.
    expect(cost({ input: 33, output: 2 })).toBe(exact);
    expect(cost({ input: 2, output: 2 })).toBe(2 * 2 + 2 * 10);
    // Seconds alone, of a recording whose length was measured, or is known by the provider alone.
    const seconds = 30 * 6 + text * 2 + 18 * 10;
    expect(cost({ seconds: 3 })).toBe(seconds);
    const { seconds: _, ...unmeasured } = recording;
    expect(cost({ seconds: 3 }, unmeasured as typeof recording)).toBe(seconds);
  });
});
