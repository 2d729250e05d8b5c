import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";

let h: Stage;
beforeAll(async () => {
  h = await startMediaStage();
});
afterAll(() => h.close());

describe("voices", () => {
  it.each([
    ["gender=female", 1],
    ["age=adult", 1],
    ["category=General", 1],
    ["language=en", 1],
    ["language=en-US", 1],
    ["resourceId=seed-tts-2.0", 1],
    ["gender=male&resourceId=seed-tts-2.0&language=de", 1],
    ["language=xx", 0],
  ])("voices are filtered by %s", async (query, least) => {
    const { voices, total } = await h.json(`/api/v1/audio/voices?${query}`);
    expect(voices).toHaveLength(total);
    expect(total).toBeGreaterThanOrEqual(least);
  });
  it.each(["gender=other", "age=old", "category=general", "language=not%20one", "resourceId=seed-tts-3.0"])(
    "the filter %s of voices is refused",
    async (query) => {
      const { errors } = await h.json(`/api/v1/audio/voices?${query}`, undefined, 400);
      expect(errors[0]).toMatch(new RegExp(`^${query.split("=")[0]}`));
    },
  );
});

describe("context texts", () => {
  it("context texts are refused for voices of the first series", async () => {
    const { voices } = await h.json("/api/v1/audio/voices?resourceId=seed-tts-1.0");
    const body = { voiceType: voices[0].voiceType, text: "Hello.", contextTexts: ["Whisper."] };
    const { errors } = await h.json("/api/v1/audio/text-to-speech", body, 400);
    expect(errors[0]).toMatch(/^contextTexts.*seed-tts-1\.0/);
  });
});
