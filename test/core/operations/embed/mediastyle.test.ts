import type { Json } from "@manifold-gateway/core/codec";
import { type EmbedRequest, embedWires } from "@manifold-gateway/core/operations";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, bytes, encode, images, link, text } from "./kit.ts";

const { mediastyle } = embedWires;

describe("mediastyle", () => {
  test("text, images and video become one combined vector", () => {
    const request: EmbedRequest = {
      ...ask([text("a"), ...images, link("video"), bytes("video", "video/mp4")]),
      dimensions: 1024,
    };
    const { wire, losses } = encode(mediastyle, request);
    expect(losses).toEqual([]);
    expect(mediastyle.endpoint?.(request)).toBe("/embeddings/multimodal");
    expect(wire).toEqual({
      model: "m",
      input: [
        { type: "text", text: "a" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        { type: "image_url", image_url: { url: "https://media.example.test/x" } },
        { type: "video_url", video_url: { url: "https://media.example.test/x" } },
        { type: "video_url", video_url: { url: "data:video/mp4;base64,AAAA" } },
      ],
      dimensions: 1024,
      encoding_format: "float",
    });
    expect(mediastyle.request.decode(wire)).toEqual(request);
  });

  test("plain texts go to the list, many a call", () => {
    const request = ask([text("a")], [text("b")]);
    expect(mediastyle.endpoint?.(request)).toBe("/embeddings");
    expect(encode(mediastyle, request).wire).toEqual({
      model: "m",
      input: ["a", "b"],
    });
    expect(mediastyle.request.decode(encode(mediastyle, request).wire)).toEqual(request);
  });

  test.each(["audio", "document"] as const)("media of kind %s are refused", (kind) => {
    expect(encode(mediastyle, ask([text("a"), bytes(kind, "x/y")])).losses).toEqual(["/inputs/0/parts/1"]);
  });

  test("a second input is refused in one call", () => {
    expect(encode(mediastyle, ask(images, [text("a")])).losses).toEqual(["/inputs/1"]);
  });

  test("the answer is one object, its usage in parts", () => {
    const body: Json = {
      id: "x",
      model: "m",
      data: { embedding: [1, 2], object: "embedding" },
      usage: {
        prompt_tokens: 9,
        total_tokens: 9,
        prompt_tokens_details: { text_tokens: 2, image_tokens: 7 },
      },
    };
    expect(mediastyle.reply.decode(body)).toEqual({
      vectors: [[1, 2]],
      usage: { input: 9, imageInput: 7 },
      model: "m",
    });
  });

  test("request.decode(request.encode(r)) = r", () => {
    const part = fc.oneof(
      fc.string().map(text),
      fc.constantFrom(...images, link("video"), bytes("video", "video/mp4")),
    );
    const mixed = fc
      .tuple(fc.array(part, { maxLength: 4 }), fc.constantFrom(...images))
      .map(([parts, last]) => ask([...parts, last]));
    const plain = fc
      .array(fc.string(), { minLength: 1 })
      .map((texts) => ask(...texts.map((one) => [text(one)])));
    fc.assert(
      fc.property(fc.oneof(mixed, plain), (request) => {
        const { wire, losses } = encode(mediastyle, request);
        expect(mediastyle.request.decode(wire)).toEqual(request);
        expect(losses).toEqual([]);
      }),
    );
  });
});
