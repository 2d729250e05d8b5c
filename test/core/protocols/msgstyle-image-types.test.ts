import { type AnyCodec, codecs, encodeRequest } from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, test } from "vitest";

const JPEG = "/9j/4AAQSkZJRgABAQEASABIAAD/2w==";
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB";
const GIF = "R0lGODlhAQABAAAAACw=";
const WEBP = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAA";
const PDF = "JVBERi0xLjcKJeLjz9MK";
const HEIC = "AAAAGGZ0eXBoZWljAAAAAG1pZjE=";

type Image = [title: string, declared: string, data: string, type: string];
const images: Image[] = [
  ["a JPEG that is called PNG", "image/png", JPEG, "image/jpeg"],
  ["a PNG that is called JPEG", "image/jpeg", PNG, "image/png"],
  ["a WebP that is called GIF", "image/gif", WEBP, "image/webp"],
  ["a GIF that is called WebP", "image/webp", GIF, "image/gif"],
  ["a PNG that is called PDF", "application/pdf", PNG, "image/png"],
  ["a PNG of no known type", "application/octet-stream", PNG, "image/png"],
  ["a PDF that is called PNG", "image/png", PDF, "application/pdf"],
];
const block = (type: string, data: string): JsonObject => ({
  type: type === "application/pdf" ? "document" : "image",
  source: { type: "base64", media_type: type, data },
});
const url = (type: string, data: string): string => `data:${type};base64,${data}`;

/** The content of the last message, and the losses, as a messages provider gets them. */
function send(wire: JsonObject, from: keyof typeof codecs) {
  const { wire: written, losses } = encodeRequest(
    (codecs[from] as AnyCodec).request.decode(wire),
    codecs.msgstyle,
  );
  const messages = written.messages as JsonObject[];
  return {
    content: messages.at(-1)?.content as Json,
    losses: losses.filter(({ path }) => path.startsWith("/messages")),
  };
}

describe("media whose bytes are of another type than declared, towards messages", () => {
  test.each(images)("have the type of their bytes, as a loss: %s", (_, declared, data, type) => {
    const part = { inlineData: { mimeType: declared, data } };
    const { content, losses } = send({ contents: [{ role: "user", parts: [part] }] }, "genstyle");
    expect(content).toEqual([block(type, data)]);
    expect(losses).toMatchObject([{ path: "/messages/0/parts/0/source/mediaType", why: "approximated" }]);
  });

  test.each(images.filter(([, declared]) => declared.startsWith("image/")))(
    "are read from chat callers: %s",
    (_, declared, data, type) => {
      const content = [{ type: "image_url", image_url: { url: url(declared, data) } }];
      expect(send({ model: "m", messages: [{ role: "user", content }] }, "chatstyle").content).toEqual([
        block(type, data),
      ]);
    },
  );

  test.each(images.filter(([, declared]) => declared.startsWith("image/")))(
    "are read in results of tools: %s",
    (_, declared, data, type) => {
      const input: Json[] = [
        { type: "function_call", call_id: "c1", name: "shot", arguments: "{}" },
        {
          type: "function_call_output",
          call_id: "c1",
          output: [{ type: "input_image", image_url: url(declared, data) }],
        },
      ];
      const { content } = send({ model: "m", input }, "responses");
      expect(JSON.stringify(content)).toContain(JSON.stringify(block(type, data)));
    },
  );

  test("that are right, or that nothing tells, are not touched", () => {
    const parts = [PNG, "AAAA"].map((data) => ({ inlineData: { mimeType: "image/png", data } }));
    const { content, losses } = send({ contents: [{ role: "user", parts }] }, "genstyle");
    expect(content).toEqual([block("image/png", PNG), block("image/png", "AAAA")]);
    expect(losses).toEqual([]);
  });

  test("of a format that the wire has no block for are left out, as a loss", () => {
    const part = { inlineData: { mimeType: "image/heic", data: HEIC } };
    const { losses } = send({ contents: [{ role: "user", parts: [{ text: "what" }, part] }] }, "genstyle");
    expect(losses).toMatchObject([{ path: "/messages/0/parts/1", why: "unsupported" }]);
  });
});
