import {
  chatstyle,
  encodeRequest,
  genstyle,
  msgstyle,
  responses,
  type TextRequest,
} from "@manifold-gateway/core";
import type { MediaPart } from "@manifold-gateway/core/ir";
import { knownTraits } from "@manifold-gateway/providers";
import { expect, test } from "vitest";
import { asked } from "./text-request.ts";

/** Bytes that no signature tells the type of. */
const DATA = "AAAAAAAAAAA=";
const bytes = (mediaType: string) => ({ type: "base64", mediaType, data: DATA }) as const;
const media: Record<string, MediaPart> = {
  image: { type: "media", kind: "image", source: bytes("image/png") },
  document: { type: "media", kind: "document", source: bytes("application/pdf") },
  audio: { type: "media", kind: "audio", source: bytes("audio/wav") },
};
const withResult = (part: MediaPart): TextRequest =>
  asked(
    [
      { role: "user", parts: [{ type: "text", text: "look" }] },
      { role: "assistant", parts: [{ type: "call", id: "c1", name: "shot", arguments: "{}" }] },
      { role: "user", parts: [{ type: "result", id: "c1", parts: [{ type: "text", text: "here" }, part] }] },
    ],
    { params: { maxTokens: 9 }, tools: [{ type: "function", name: "shot" }] },
  );

const codecs = { chatstyle, responses, msgstyle, genstyle };
/** The words by which a wire calls a result. */
const marks = ["tool", "function_call_output", "tool_result"];

/** The result in a request of any wire. */
function resultIn(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return undefined;
  const { type, role, functionResponse } = node as Record<string, unknown>;
  if (functionResponse || marks.includes(type as string) || marks.includes(role as string)) return node;
  return Object.values(node).map(resultIn).find(Boolean);
}

test.each<[model: string, to: keyof typeof codecs, kind: string, inside: boolean]>([
  ["gemini-2.5-flash", "genstyle", "image", false],
  ["gemini-2.5-pro", "genstyle", "document", false],
  ["gemini-2.0-flash", "genstyle", "image", false],
  ["gemini-3-pro-preview", "genstyle", "image", true],
  ["gemini-3.8-flash", "genstyle", "audio", false],
  ["gemini-3-flash-preview", "chatstyle", "image", false],
  ["gemini-2.5-flash", "chatstyle", "image", false],
  ["a-model", "msgstyle", "image", true],
  ["claude-sonnet-4-5", "msgstyle", "document", true],
  ["gpt-5.6", "responses", "image", true],
])("%s on %s gets %s in results where it takes them", (model, to, kind, inside) => {
  const part = media[kind] as MediaPart;
  const { wire, losses } = encodeRequest(withResult(part), codecs[to], knownTraits(model));
  const turns = wire.messages ?? wire.contents ?? wire.input;
  expect(JSON.stringify(turns)).toContain(DATA);
  const result = JSON.stringify(resultIn(turns));
  expect(result).toContain("here");
  expect(result.includes(DATA)).toBe(inside);
  expect(losses.some(({ path }) => path.startsWith("/messages/2"))).toBe(!inside);
});

test.each(["chatstyle", "msgstyle", "responses"] as const)(
  "a model that reads text only gets a text for media in results on %s, and a caller's own media",
  (to) => {
    const own = withResult(media.image as MediaPart);
    own.messages.push({ role: "user", parts: [media.document as MediaPart] });
    const { wire, losses } = encodeRequest(own, codecs[to], knownTraits("deepseek-v4-pro"));
    const written = JSON.stringify(wire);
    expect(written).not.toContain("image/png");
    expect(written).toContain("does not read: image");
    expect(written).toContain("application/pdf");
    expect(losses).toContainEqual({
      path: "/messages/2/parts/0/parts/1",
      why: "unsupported",
      detail: "the model does not read images",
    });
  },
);

test("media in results stand behind them on the messages wire where the model takes none inside", () => {
  const { wire } = encodeRequest(withResult(media.image as MediaPart), msgstyle, { resultMedia: false });
  const [result, image] = (wire.messages as { content: { type: string }[] }[]).at(-1)?.content ?? [];
  expect([result?.type, image?.type]).toEqual(["tool_result", "image"]);
});
