import { type AnyCodec, codecs, encodeRequest } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, test } from "vitest";

type Protocol = "chatstyle" | "genstyle";

function send(from: Protocol, to: Protocol, value: JsonObject) {
  const request = (codecs[from] as AnyCodec).request.decode({ model: "m", ...value });
  return encodeRequest(request, codecs[to] as AnyCodec);
}

describe("media at an address", () => {
  const page = "https://www.youtube.com/watch?v=abc";
  const content = (part: JsonObject): JsonObject => ({ messages: [{ role: "user", content: [part] }] });

  test.each(["image_url", "video_url"])("a page with a video is one, also as %s", (type) => {
    const { wire } = send("chatstyle", "genstyle", content({ type, [type]: { url: page } }));
    expect(wire.contents).toEqual([
      { role: "user", parts: [{ fileData: { fileUri: page, mimeType: "video/mp4" } }] },
    ]);
  });

  test("a page with a video of a generate-content caller is no document", () => {
    const parts = [{ fileData: { fileUri: page } }];
    const { wire } = send("genstyle", "chatstyle", { contents: [{ role: "user", parts }] });
    expect(wire.messages).toMatchObject([{ content: [{ type: "video_url", video_url: { url: page } }] }]);
  });

  test("the address of a recording in place of its bytes is no bytes", () => {
    const data = "https://files.example/a.mp3";
    const part = { type: "input_audio", input_audio: { data, format: "mp3" } };
    const { wire } = send("chatstyle", "genstyle", content(part));
    expect(wire.contents).toEqual([
      { role: "user", parts: [{ fileData: { fileUri: data, mimeType: "audio/mpeg" } }] },
    ]);
  });
});
