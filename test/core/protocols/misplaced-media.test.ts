import { codecs } from "@manifold-gateway/core";
import { describe, expect, test } from "vitest";

const chat = (url: string) => ({
  model: "m",
  messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }],
});
const responses = (url: string) => ({
  model: "m",
  input: [{ role: "user", content: [{ type: "input_image", image_url: url }] }],
});

describe.each([
  ["chatstyle", chat],
  ["responses", responses],
] as const)("a file in the member for images: %s", (protocol, write) => {
  test.each([
    ["data:application/pdf;base64,JVBERi0xLjQK", "document"],
    ["https://example.com/paper.PDF?download=1", "document"],
    ["data:audio/wav;base64,UklGRg==", "audio"],
    ["data:video/mp4;base64,AAAA", "video"],
    ["data:image/png;base64,iVBORw0KGgo=", "image"],
    ["data:application/octet-stream;base64,iVBORw0KGgo=", "image"],
    ["https://example.com/picture", "image"],
    ["https://example.com/index.html", "image"],
  ])("%s is of the kind %s", (url, kind) => {
    const codec = codecs[protocol];
    const { messages } = codec.request.decode(codec.request.schema.parse(write(url)) as never);
    expect(messages).toMatchObject([{ role: "user", parts: [{ type: "media", kind }] }]);
  });
});

test.each([
  ["https://example.com/paper.pdf", { type: "url", url: "https://example.com/paper.pdf" }],
  ["file-7", { type: "file", protocol: "chatstyle", id: "file-7" }],
])("%s as the id of an upload is the source %j", (id, source) => {
  const { request } = codecs.chatstyle;
  const content = [{ type: "file", file: { file_id: id } }];
  const wire = request.schema.parse({ model: "m", messages: [{ role: "user", content }] });
  expect(request.decode(wire as never).messages).toMatchObject([{ parts: [{ type: "media", source }] }]);
});
