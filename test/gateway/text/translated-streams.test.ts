import { type AnyCodec, codecs, TranslatedReply } from "@manifold-gateway/core";
import { describe, expect, it } from "vitest";

const head = { id: "h", model: "m", created: 0 };
const pumpOf = (from: AnyCodec, to: AnyCodec): TranslatedReply => new TranslatedReply(from, to, head);
const framed = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`;
const said = (part: object): string =>
  framed({ candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }] });

/** All that goes out of a stream that came in pieces of 64 KiB. */
function translated(text: string): string {
  const pump = pumpOf(codecs.genstyle as AnyCodec, codecs.chatstyle as AnyCodec);
  const bytes = Buffer.from(text);
  let out = "";
  for (let at = 0; at < bytes.length; at += 65_536) out += pump.push(bytes.subarray(at, at + 65_536));
  return out + pump.finish();
}

describe("a translated stream", () => {
  it("a translated stream passes a picture of ten megabytes in one event, and fails at one beyond the limit", () => {
    const picture = (length: number) => ({ inlineData: { mimeType: "image/png", data: "A".repeat(length) } });
    expect(translated(said(picture(10_000_000)))).toContain(`base64,${"A".repeat(10_000_000)}"`);
    expect(() => translated(said(picture(17_000_000)))).toThrow("has more than");
  });

  it("a translated stream skips empty events", () => {
    expect(translated(`data:\n\n${said({ text: "Red." })}data: \n\n`)).toBe(
      translated(said({ text: "Red." })),
    );
  });
});
