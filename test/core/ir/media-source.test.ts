import fc from "fast-check";
import { expect, test } from "vitest";
import {
  guessMediaType,
  kindOf,
  sniffMediaType,
  toBytes,
  toSource,
  toUrl,
  typeOfName,
} from "../../../packages/core/src/ir/media-source.ts";

test("base64 of either alphabet, with padding or without, goes on in the standard form", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.boolean(), fc.boolean(), (raw, padded, broken) => {
      const data = Buffer.from(raw).toString("base64");
      let written = Buffer.from(raw).toString("base64url");
      if (padded) written = written.padEnd(data.length, "=");
      if (broken) written = written.replace(/(.{4})/g, "$1\r\n");
      expect(toBytes(written, "image/png")).toEqual({ type: "base64", mediaType: "image/png", data });
      expect(toSource(`data:image/png;base64,${written}`)).toMatchObject({ data });
    }),
  );
  expect(toBytes("no base64!", "image/png").data).toBe("no base64!");
});

test("bytes without a type have the type that their beginning shows", () => {
  expect(toBytes("iVBORw0KGgo=").mediaType).toBe("image/png");
  expect(toSource("data:;base64,iVBORw0KGgo=")).toMatchObject({ mediaType: "image/png" });
  expect(toBytes("AAAA").mediaType).toBe("application/octet-stream");
});

test("the base64 of a data URL is never touched", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("image/png", "application/pdf", "audio/wav"),
      fc.base64String(),
      (mediaType, data) => {
        const source = toSource(`data:${mediaType};base64,${data}`);
        expect(source).toEqual({ type: "base64", mediaType, data });
        expect(toUrl(source)).toBe(`data:${mediaType};base64,${data}`);
      },
    ),
  );
});

test("percent-encoded data becomes the base64 of its bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (raw) => {
      const body = Array.from(raw, (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
      const data = btoa(String.fromCharCode(...raw));
      expect(toSource(`data:text/plain,${body}`)).toEqual({ type: "base64", mediaType: "text/plain", data });
    }),
  );
});

test.each([
  ["https://a.test/x.png", { type: "url", url: "https://a.test/x.png" }],
  ["data:image/png;name=x;base64,AA==", { type: "base64", mediaType: "image/png", data: "AA==" }],
  ["DATA:image/png;BASE64,AA==", { type: "base64", mediaType: "image/png", data: "AA==" }],
  ["data:,a%20é%", { type: "base64", mediaType: "text/plain", data: btoa("a Ã©%") }],
  ["data:no comma", { type: "url", url: "data:no comma" }],
])("an address is read as the source of media: %s", (url, source) => {
  expect(toSource(url)).toEqual(source);
});

test("uploads have no URL", () => {
  expect(toUrl({ type: "file", protocol: "msgstyle", id: "file_1" })).toBeUndefined();
});

test.each([
  ["image/png", "image"],
  ["audio/mpeg", "audio"],
  ["video/mp4", "video"],
  ["application/pdf", "document"],
  ["text/plain", "document"],
  [undefined, "document"],
] as const)("a file of type %s is of kind %s", (mediaType, kind) => {
  expect(kindOf(mediaType)).toBe(kind);
});

test.each([
  [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "image/png"],
  [[0xff, 0xd8, 0xff, 0xe0], "image/jpeg"],
  [[...new TextEncoder().encode("GIF89a")], "image/gif"],
  [[...new TextEncoder().encode("RIFF\0\0\0\0WEBPVP8 ")], "image/webp"],
  [[...new TextEncoder().encode("RIFF\0\0\0\0WAVEfmt ")], "audio/wav"],
  [[...new TextEncoder().encode("%PDF-1.7")], "application/pdf"],
  [[1, 2, 3, 4, 5, 6], undefined],
])("bytes that begin with %o are %s", (raw, mediaType) => {
  expect(sniffMediaType(btoa(String.fromCharCode(...(raw as number[]))))).toBe(mediaType);
});

test.each([
  ["a.mp3", "audio/mp3"],
  ["https://a/b.WEBP?size=1", "image/webp"],
  ["notes.md", "text/markdown"],
  ["a.constructor", undefined],
  ["none", undefined],
])("the name %s gives the type %s", (name, type) => {
  expect(typeOfName(name)).toBe(type);
  expect(guessMediaType("AAAA", name)).toBe(type ?? "application/pdf");
});
