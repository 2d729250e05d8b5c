import { describe, expect, test } from "vitest";
import { speechstyle } from "../../../../packages/providers/src/adapters/speech/speechstyle/index.ts";
import { reference } from "../../../core/operations/speech/kit.ts";
import { json, startLine } from "./line.ts";
import { base64, bytesOf } from "./speechstyle.ts";

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

  test("a generation with reference is answered with audio and all that is known of it", async () => {
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
  ])("code %i, at the top or in a header, makes a generation %s", async (code, kind, calls) => {
    for (const body of [{ code, message: "as it is" }, { header: { code, message: "as it is" } }]) {
      const { line, got } = await startLine([json(body)]);
      const progress = await speechstyle.submit(line, reference());
      expect(progress).toMatchObject({ state: "failed", trouble: { kind, code: String(code) } });
      expect(got).toHaveLength(calls);
    }
  });

  test.each([[{ code: 0 }], [{}], [[]], ["<html>"], [{ code: 0, audio: "", url: "" }]])(
    "an answer of %j has no audio",
    async (body) => {
      const { line } = await startLine([json(body)]);
      expect(await speechstyle.submit(line, reference())).toMatchObject({
        state: "failed",
        trouble: { kind: "unavailable" },
      });
    },
  );
});
