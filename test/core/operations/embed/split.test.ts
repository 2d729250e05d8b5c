import type { JsonObject } from "@manifold-gateway/core/codec";
import {
  checkEmbed,
  type EmbedPart,
  type EmbedReply,
  embedCodecs,
  joinEmbed,
} from "@manifold-gateway/core/operations";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EmbedLimits } from "../../../../packages/core/src/operations/embed/check.ts";
import { everyMedia, splitEmbed } from "../../../../packages/core/src/operations/embed/index.ts";
import type { EmbedInput } from "../../../../packages/core/src/operations/embed/ir.ts";
import { ask, bytes, text } from "./arbitraries.ts";

describe("split and join", () => {
  test("every input is sent once, in order, and no call is too large", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 100 }), (count, most) => {
        const request = ask(Array.from({ length: count }, (_, i) => text(String(i))));
        const calls = splitEmbed(request, most);
        expect(calls.flatMap((call) => call.inputs)).toEqual(request.inputs);
        expect(Math.max(...calls.map((call) => call.inputs.length))).toBeLessThanOrEqual(most);
      }),
    );
  });

  test("usage adds up only where every reply reports it", () => {
    const told: EmbedReply = { vectors: [[1]], usage: { input: 2, imageInput: 1 } };
    const plain: EmbedReply = { vectors: [[2]], usage: { input: 3 } };
    expect(joinEmbed([told, plain])).toEqual({ vectors: [[1], [2]], usage: { input: 5, imageInput: 1 } });
    expect(joinEmbed([told, { vectors: [[2]] }])).toEqual({ vectors: [[1], [2]] });
  });
});

describe("the check of embedding inputs", () => {
  const png = bytes("image", "image/png");
  const wav = bytes("audio", "audio/wav");
  const parts = (...list: EmbedPart[]): EmbedInput => ({ parts: list });
  const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
  const file: EmbedPart = {
    type: "media",
    kind: "image",
    source: { type: "file", protocol: "genstyle", id: "f" },
  };

  test.each<[name: string, takes: EmbedLimits, inputs: EmbedInput[], paths: string[]]>([
    ["text", {}, [text("a")], []],
    ["white space", {}, [text(" ")], []],
    ["128 inputs", {}, many(128, text("a")), []],
    ["129 inputs", {}, many(129, text("a")), ["/inputs"]],
    ["nothing", {}, [], ["/inputs"]],
    ["an empty string", {}, [text("a"), text("")], ["/inputs/1"]],
    ["no parts", {}, [parts()], ["/inputs/0"]],
    [
      "an empty text beside an image",
      everyMedia,
      [parts({ type: "text", text: "" }, png)],
      ["/inputs/0/parts/0"],
    ],
    ["tokens", {}, [{ tokens: [1] }], ["/inputs/0"]],
    ["tokens where they are taken", { tokens: true }, [{ tokens: [1] }], []],
    ["no tokens", { tokens: true }, [{ tokens: [] }], ["/inputs/0"]],
    ["an image for a text model", {}, [parts(png)], ["/inputs/0/parts/0"]],
    ["six images", everyMedia, many(6, parts(png)), []],
    ["seven images", everyMedia, many(7, parts(png)), ["/inputs/6/parts/0"]],
    ["audio", everyMedia, [parts(wav)], []],
    ["audio twice", everyMedia, [parts(wav), parts(wav)], ["/inputs/1/parts/0"]],
    ["audio for an image model", { media: { image: { max: 6 } } }, [parts(wav)], ["/inputs/0/parts/0"]],
    ["another audio type", everyMedia, [parts(bytes("audio", "audio/mpeg"))], ["/inputs/0/parts/0"]],
    ["a media type in other letters", everyMedia, [parts(bytes("audio", "Audio/WAV; rate=8000"))], []],
    ["mp4", everyMedia, [parts(bytes("video", "video/mp4"))], []],
    ["mov", everyMedia, [parts(bytes("video", "video/quicktime"))], []],
    ["webm", everyMedia, [parts(bytes("video", "video/webm"))], ["/inputs/0/parts/0"]],
    ["pdf", everyMedia, [parts(bytes("document", "application/pdf"))], []],
    ["another document", everyMedia, [parts(bytes("document", "text/plain"))], ["/inputs/0/parts/0"]],
    ["no bytes", everyMedia, [parts(bytes("image", "image/png", ""))], ["/inputs/0/parts/0"]],
    ["an upload", everyMedia, [parts(file)], ["/inputs/0/parts/0"]],
  ])("inputs are checked: %s", (_, takes, inputs, paths) => {
    const issues = checkEmbed(ask(inputs, { model: "some-model" }), takes);
    expect(issues.map((issue) => issue.path)).toEqual(paths);
    for (const { path, message } of issues) {
      expect(message).toContain(path.slice(1).replaceAll("/", "."));
      expect(message).toContain("'some-model'");
    }
  });

  test.each([
    ["audio", "audio/wav", 180],
    ["video", "video/mp4", 120],
  ] as const)("%s that was probed may play no longer than its limit", (kind, mediaType, most) => {
    const request = ask([parts(bytes(kind, mediaType))]);
    expect(checkEmbed(request, everyMedia, { seconds: () => most })).toEqual([]);
    expect(checkEmbed(request, everyMedia, { seconds: () => most + 0.1 })).toHaveLength(1);
  });

  test.each<[protocol: "chatstyle" | "msgstyle" | "genstyle", wire: JsonObject, path: string]>([
    ["chatstyle", { model: "m", input: [] }, "/input"],
    ["chatstyle", { model: "m", input: ["a", ""] }, "/input/1"],
    ["chatstyle", { model: "m", input: "" }, "/input"],
    [
      "msgstyle",
      { model: "m", input: [{ content: [{ type: "imageUrl", url: "https://a.test/x" }] }] },
      "/input/0/content/0",
    ],
    [
      "genstyle",
      { contents: { parts: [{ text: "a" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }] } },
      "/contents/parts/1",
    ],
    [
      "genstyle",
      { requests: [{ content: { parts: [{ text: "a" }] } }, { content: { parts: [{ text: "" }] } }] },
      "/requests/1/content",
    ],
  ])("an issue names the field as the caller wrote it: %s %j", (protocol, wire, path) => {
    const origins = new Map<object, string>();
    const request = embedCodecs[protocol].request.decode(
      wire,
      (node, pointer) => void origins.set(node, pointer),
    );
    expect(checkEmbed(request, {}, { origins }).map((issue) => issue.path)).toEqual([path]);
  });
});
