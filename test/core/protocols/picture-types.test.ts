import { type AnyCodec, codecs, encodeRequest } from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, test } from "vitest";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB";
const JPEG = "/9j/4AAQSkZJRgABAQEASABIAAD/2w==";
const WAV = "UklGRiQAAABXQVZFZm10IA==";

/** The last turn as a provider of a protocol gets it, and the losses in turns. */
function send(to: keyof typeof codecs, part: JsonObject) {
  const request = (codecs.chatstyle as AnyCodec).request.decode({
    model: "m",
    messages: [{ role: "user", content: [{ type: "text", text: "what?" }, part] }],
  });
  const { wire, losses } = encodeRequest(request, codecs[to] as AnyCodec);
  const [turn] = (wire.messages ?? wire.contents ?? wire.input) as JsonObject[];
  const [, written] = (turn?.parts ?? turn?.content ?? []) as Json[];
  return { written, losses: losses.filter(({ path }) => path.startsWith("/messages")) };
}

const picture = (type: string, data: string): JsonObject => ({
  type: "image_url",
  image_url: { url: `data:${type};base64,${data}` },
});
const became = (type: string) => [
  { path: "/messages/0/parts/1/source/mediaType", why: "approximated", detail: `became ${type}` },
];

describe("a picture that its sender calls a file has the type of its bytes", () => {
  const vague = picture("application/octet-stream", PNG);
  test.each<[keyof typeof codecs, Json]>([
    ["genstyle", { inlineData: { mimeType: "image/png", data: PNG } }],
    ["responses", { type: "input_image", image_url: `data:image/png;base64,${PNG}` }],
    ["chatstyle", picture("image/png", PNG)],
  ])("on %s, as a loss", (to, written) => {
    expect(send(to, vague)).toEqual({ written, losses: became("image/png") });
  });
  test("unless they show nothing", () => {
    const unknown = picture("application/octet-stream", "AAAA");
    expect(send("responses", unknown).losses).toEqual([]);
  });
});

test("image/jpg is spelled as generate-content providers know it, who refuse the other word", () => {
  expect(send("genstyle", picture("image/jpg", JPEG))).toEqual({
    written: { inlineData: { mimeType: "image/jpeg", data: JPEG } },
    losses: became("image/jpeg"),
  });
});

describe("audio of chat callers", () => {
  const wav = { inlineData: { mimeType: "audio/wav", data: WAV } };
  test.each<[title: string, part: JsonObject]>([
    [
      "as a data URL",
      { type: "input_audio", input_audio: { data: `data:audio/wav;base64,${WAV}`, format: "wav" } },
    ],
    [
      "with a media type as its format",
      { type: "input_audio", input_audio: { data: WAV, format: "audio/wav" } },
    ],
    [
      "as the link that some servers have",
      { type: "audio_url", audio_url: { url: `data:audio/wav;base64,${WAV}` } },
    ],
  ])("is read %s", (_, part) => {
    expect(send("genstyle", part)).toEqual({ written: wav, losses: [] });
  });
});
