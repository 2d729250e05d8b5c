import { ignoreLosses } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { embedCodecs, embedWires, fetchesOf } from "@manifold-gateway/core/operations";
import { describe, expect, test } from "vitest";
import { ask, bytes, encode, images, text } from "./kit.ts";

const { msgstyle } = embedCodecs;
const { mediastyle, outputstyle, routerstyle, genstyle } = embedWires;

describe("the normalized parts on each wire", () => {
  const data = "AAAA";
  const rows: [part: JsonObject, router: JsonObject | undefined, gen: JsonObject | undefined][] = [
    [{ type: "text", text: "a" }, { type: "text", text: "a" }, { text: "a" }],
    [
      { type: "imageUrl", url: "https://media.example.test/x" },
      { type: "image_url", image_url: { url: "https://media.example.test/x" } },
      undefined,
    ],
    [
      { type: "imageBase64", data, mediaType: "image/png" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
      { inlineData: { mimeType: "image/png", data } },
    ],
    [
      { type: "audioBase64", data, mediaType: "audio/wav" },
      { type: "input_audio", input_audio: { data: "data:audio/wav;base64,AAAA", format: "wav" } },
      { inlineData: { mimeType: "audio/wav", data } },
    ],
    [{ type: "audioUrl", url: "https://media.example.test/x" }, undefined, undefined],
    [
      { type: "videoBase64", data, mediaType: "video/mp4" },
      { type: "input_video", input_video: { data: "data:video/mp4;base64,AAAA", format: "mp4" } },
      { inlineData: { mimeType: "video/mp4", data } },
    ],
    [
      { type: "fileBase64", data, mediaType: "application/pdf" },
      { type: "input_file", input_file: { data: "data:application/pdf;base64,AAAA", format: "pdf" } },
      { inlineData: { mimeType: "application/pdf", data } },
    ],
  ];
  test.each(rows)("the normalized parts are written on their wire: %j", (part, router, gen) => {
    const wire = { model: "m", input: [{ content: [part, { type: "text", text: "b" }] }] };
    const request = msgstyle.request.decode(wire);
    for (const [codec, written] of [
      [routerstyle, router],
      [genstyle, gen],
    ] as const) {
      const { wire: body, losses } = encode(codec, request);
      // What has no address of its own on a wire is a need to fetch, and a loss only for who does not.
      const needs = fetchesOf(request, codec).map((need) => need.path);
      expect(losses.filter((path) => path.startsWith("/inputs/0/parts"))).toEqual(
        part.type === "text" && codec === routerstyle ? ["/inputs/0/parts"] : needs,
      );
      expect(needs).toEqual(written === undefined ? ["/inputs/0/parts/0"] : []);
      if (written && part.type !== "text") expect(JSON.stringify(body)).toContain(JSON.stringify(written));
    }
  });
});

test("the dimensions have the name that the wire has for them", () => {
  const request = embedCodecs.chatstyle.request.decode({ model: "m", input: ["a", "b"], dimensions: 256 });
  const { wire, losses } = encode(outputstyle, request);
  expect(wire).toEqual({ model: "m", input: ["a", "b"], output_dimension: 256 });
  expect(losses).toEqual([]);
  expect(outputstyle.request.decode(wire)).toEqual(request);
  expect(outputstyle.tokens).toBe(false);
});

test("a wire without a member for the caller's user loses it", () => {
  const request = embedCodecs.chatstyle.request.decode({ model: "m", input: "a", user: "u" });
  const { wire, losses } = encode(outputstyle, request);
  expect(wire).toEqual({ model: "m", input: "a" });
  expect(losses).toEqual(["/user"]);
});

test("media make the input of a router a list of contents, each of them", () => {
  const content = [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }];
  const said = [{ type: "text", text: "a" }];
  const picture = [bytes("image", "image/png")];
  expect(encode(routerstyle, ask(picture)).wire.input).toEqual([{ content }]);
  expect(encode(routerstyle, ask([text("a")], picture)).wire.input).toEqual([{ content: said }, { content }]);
  expect(encode(routerstyle, ask([text("a")])).wire.input).toBe("a");
});

test("no provider is asked for base64, and for numbers only where media need it: some servers refuse the word", () => {
  const encodingOf = (codec: typeof mediastyle, ...parts: Parameters<typeof ask>) =>
    codec.request.encode({ ...ask(...parts), encoding: "base64" }, ignoreLosses).encoding_format;
  expect([encodingOf(routerstyle, [text("a")]), encodingOf(routerstyle, images)]).toEqual([
    undefined,
    undefined,
  ]);
  expect([encodingOf(mediastyle, [text("a")]), encodingOf(mediastyle, images)]).toEqual([undefined, "float"]);
});
