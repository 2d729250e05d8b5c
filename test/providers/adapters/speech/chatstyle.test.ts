import { collectLosses } from "@manifold-gateway/core";
import type { SpeechResult, TextToSpeech } from "@manifold-gateway/core/operations";
import { describe, expect, test } from "vitest";
import type { Progress } from "../../../../packages/providers/src/adapters/adapter.ts";
import { chatstyle, encodeReading } from "../../../../packages/providers/src/adapters/speech/chatstyle.ts";
import { reading, reference } from "../../../core/operations/speech/kit.ts";
import { cut, json, pieces, startLine } from "./line.ts";

const service = {
  wire: "chatstyle",
  base: "/v1",
  auth: { header: "authorization", scheme: "Bearer" },
} as const;
const plain = { model: "m", voice: "en_male_tim_uranus_bigtts", input: "Hello.", response_format: "mp3" };

const rows: [more: Partial<TextToSpeech>, wire: object, lost: string[]][] = [
  [{}, {}, []],
  [{ format: "ogg_opus" }, { response_format: "opus" }, []],
  [{ format: "pcm" }, { response_format: "pcm" }, []],
  [{ voiceType: "alloy" }, { voice: "alloy" }, []],
  [{ contextTexts: ["softly"] }, { instructions: "softly" }, []],
  [{ contextTexts: [] }, {}, []],
  [{ speechRate: 50 }, {}, []],
  [{ speechRate: -50, pitch: 1 }, { speed: 0.5 }, ["/pitch"]],
  [{ speechRate: 100, pitch: 1 }, { speed: 2 }, ["/pitch"]],
  [{ sampleRate: 48000 }, {}, ["/sampleRate"]],
  [{ loudnessRate: 1 }, {}, ["/loudnessRate"]],
  [{ silenceDuration: 1 }, {}, ["/silenceDuration"]],
  [{ enableLanguageDetector: true }, {}, ["/enableLanguageDetector"]],
  [{ explicitLanguage: "en" }, {}, ["/explicitLanguage"]],
  [{ disableMarkdownFilter: true }, {}, ["/disableMarkdownFilter"]],
  [{ disableEmojiFilter: true }, {}, ["/disableEmojiFilter"]],
];

test.each(rows)("a reading is requested for %j", (more, wire, lost) => {
  const { losses, lose } = collectLosses();
  expect(encodeReading(reading(more), "m", lose)).toEqual({ ...plain, ...wire });
  expect(losses.map((loss) => loss.path)).toEqual(lost);
  expect(chatstyle.losses?.(reading(more))).toEqual(losses);
});

describe("a reading", () => {
  test("a reading is handed on as it comes", async () => {
    const parts = ["ab", "cd", "ef"].map((text) => Buffer.from(text));
    const { line, got } = await startLine([pieces(parts, "audio/mpeg")], service, { model: "m" });
    const progress = (await chatstyle.submit(line, reading())) as Extract<
      Progress<SpeechResult>,
      { state: "succeeded" }
    >;
    expect(progress).toMatchObject({ state: "succeeded", result: { mediaType: "audio/mpeg" } });
    const { audio } = progress.result;
    const chunks: Uint8Array[] = [];
    if (audio.type === "stream") for await (const chunk of audio.chunks) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("abcdef");
    expect(got).toEqual([expect.objectContaining({ path: "/v1/audio/speech", body: plain })]);
    expect(got[0]?.headers.authorization).toBe("Bearer speech-key");
  });

  test("a reading that is cut ends with a fault", async () => {
    const { line } = await startLine([cut("ab", "audio/mpeg")], service);
    const read = async () => {
      const progress = await chatstyle.submit(line, reading());
      if (!("state" in progress) || progress.state !== "succeeded") return;
      const { audio } = progress.result;
      if (audio.type === "stream") for await (const _ of audio.chunks);
    };
    await expect(read()).rejects.toMatchObject({ kind: "reset" });
  });

  test("a reading without bytes has failed", async () => {
    const { line } = await startLine([pieces([], "audio/mpeg")], service);
    expect(await chatstyle.submit(line, reading())).toMatchObject({
      state: "failed",
      trouble: { kind: "unavailable", message: "The provider generated no audio." },
    });
  });

  test.each([
    [200, "unavailable"],
    [400, "refused"],
    [401, "misconfigured"],
    [429, "unavailable"],
    [500, "unavailable"],
  ])("an error in JSON with status %i makes a reading %s", async (status, kind) => {
    const { line } = await startLine([json({ error: { message: "as it is" } }, status)], service);
    expect(await chatstyle.submit(line, reading())).toMatchObject({ state: "failed", trouble: { kind } });
  });

  test.each([
    [reading({ format: "pcm", sampleRate: 48000 }), /sampleRate: must be 24000 for pcm/],
    [reference(), /references/],
  ])("what the wire cannot express at all is refused without a call", async (ask, says) => {
    const { line, got } = await startLine([json({})], service);
    const progress = await chatstyle.submit(line, ask);
    expect(progress).toMatchObject({ state: "failed", trouble: { kind: "refused" } });
    expect(JSON.stringify(progress)).toMatch(says);
    expect(got).toEqual([]);
    expect(chatstyle.losses?.(ask)).not.toEqual([]);
  });
});
