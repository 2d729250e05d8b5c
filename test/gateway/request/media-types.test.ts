import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { modelOf } from "../../support/text.ts";

const DATA = "AAAA";

/** Requests with a part of this media type, each for a model whose provider speaks another protocol. */
const requests: Record<string, (mediaType: string) => [path: string, body: object, field: string]> = {
  "inline data of generate-content": (mimeType) => [
    `/api/genstyle/v1beta/models/${modelOf("chatstyle")}:generateContent`,
    { contents: [{ role: "user", parts: [{ text: "Hi." }, { inlineData: { data: DATA, mimeType } }] }] },
    "contents.0.parts.1",
  ],
  "a file of generate-content": (mimeType) => [
    `/api/genstyle/v1beta/models/${modelOf("responses")}:generateContent`,
    { contents: [{ role: "user", parts: [{ fileData: { fileUri: "https://files.test/a", mimeType } }] }] },
    "contents.0.parts.0",
  ],
  "audio of chat completions": (format) => [
    "/api/chatstyle/v1/chat/completions",
    {
      model: modelOf("genstyle"),
      messages: [{ role: "user", content: [{ type: "input_audio", input_audio: { data: DATA, format } }] }],
    },
    "messages.0.content.0",
  ],
  "a source of messages": (media_type) => [
    "/api/msgstyle/v1/messages",
    {
      model: modelOf("chatstyle"),
      max_tokens: 9,
      messages: [
        { role: "user", content: [{ type: "image", source: { type: "base64", media_type, data: DATA } }] },
      ],
    },
    "messages.0.content.0",
  ],
  "a data URL of responses": (mediaType) => [
    "/api/chatstyle/v1/responses",
    {
      model: modelOf("msgstyle"),
      input: [
        {
          role: "user",
          content: [
            { type: "input_image", image_url: `data:${mediaType.replaceAll(";", "-")};base64,${DATA}` },
          ],
        },
      ],
    },
    "input.0.content.0",
  ],
};

describe("media types", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage({ listens: false });
  });
  afterAll(() => stage.close());

  const hostile = [
    [`audio/${";".repeat(4_000_000)}\nx`, "the media type has more than 255 characters"],
    ["image/png\r\nx-evil: 1", "the media type has control characters"],
  ] as const;
  for (const [name, request] of Object.entries(requests))
    it(`${name} without a readable media type is refused with its field, sent or explained`, async () => {
      for (const [mediaType, reason] of hostile) {
        const [path, body, field] = request(mediaType);
        const refused = JSON.stringify(await stage.json(path, body, 400));
        expect(refused).toContain(`${field}: ${reason} (model `);
        const explained = await stage.json(path, body, 200, { headers: { "x-explain": "true" } });
        expect(explained).toMatchObject({ verdict: "refused", status: 400, param: field });
      }
    });

  it("a media type with parameters is no reason to refuse a request", async () => {
    const [path, body] = requests["inline data of generate-content"]?.("audio/wav; rate=16000") ?? [];
    const explained = await stage.json(path as string, body, 200, { headers: { "x-explain": "true" } });
    expect(explained.upstream.body.messages[0].content[1].input_audio.format).toBe("wav");
  });
});
