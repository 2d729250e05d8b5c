import { type AnyCodec, codecs } from "@manifold-gateway/core";
import type { Machine } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";
import { describe, expect, it } from "vitest";
import { eventStream } from "../../../packages/gateway/src/text/framing.ts";
import type { StreamTransform } from "../../../packages/gateway/src/text/stream-transform.ts";
import { translateTransform } from "../../../packages/gateway/src/text/translate.ts";

const head = { id: "h", model: "m", created: 0 };
const asIs = (): Machine<Event, Event> => ({ step: (event) => [event], end: () => [] });
const pumpOf = (from: AnyCodec, to: AnyCodec): StreamTransform =>
  translateTransform(from, to, head, asIs(), eventStream);
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
