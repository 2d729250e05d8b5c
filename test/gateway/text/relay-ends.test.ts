import { readFileSync } from "node:fs";
import { type AnyCodec, codecs, DONE } from "@manifold-gateway/core";
import type { Framing } from "@manifold-gateway/core/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { relayOf } from "../../support/relay.ts";

const streamOf = (path: string): string[] =>
  readFileSync(new URL(`../../../packages/testing/fixtures/${path}`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
const framed = (chunk: string): string => `data: ${chunk}\n\n`;
const genstyle = codecs.genstyle as AnyCodec;
const lines: Pick<Framing, "frame" | "close"> = { frame: (data) => `${data}\n`, close: () => "" };
const said = (text: string): string =>
  JSON.stringify({
    candidates: [{ content: { parts: [{ text }], role: "model" }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  });

/** What goes out after each chunk, and at the end. */
function passed(chunks: string[], framing?: Pick<Framing, "frame" | "close">): string[] {
  const pump = relayOf(genstyle, { framing });
  return [...chunks.map((chunk) => pump.push(Buffer.from(framed(chunk)))), pump.finish()];
}

describe("the end of a stream of chunks alone", () => {
  it.each([
    ["candidates that end one by one", streamOf("genstyle/streams/candidates.jsonl")],
    ["an end with every chunk", ["Re", "d", "."].map(said)],
    ["usage behind the end", streamOf("genstyle/streams/usage-last.jsonl")],
  ])("the relay holds back only the newest chunk: %s", (_, chunks) => {
    const out = passed(chunks);
    expect(out.join("")).toBe(chunks.map(framed).join(""));
    // All but the newest are out when upstream's last chunk is in; that one waits for the settlement.
    expect(out.at(-1)).toBe(framed(chunks.at(-1) as string));
    expect(passed(chunks, lines).slice(-1)).toEqual([`${chunks.at(-1)}\n`]);
  });

  it("comments and the closing line do not release a chunk that is held back", () => {
    const pump = relayOf(genstyle);
    const chunk = framed(said("Red."));
    expect(pump.push(Buffer.from(chunk))).toBe("");
    expect(pump.push(Buffer.from(": still here\n\n"))).toBe("");
    expect(pump.push(Buffer.from(`data: ${DONE}\n\n`))).toBe("");
    expect(pump.finish()).toBe(`${chunk}: still here\n\ndata: ${DONE}\n\n`);
  });
});

describe.each([
  ["genstyle", "genstyle/streams/candidates.jsonl"],
  ["msgstyle", "msgstyle/streams/plain.jsonl"],
  ["responses", "responses/streams/text.jsonl"],
  ["chatstyle", "chatstyle/streams/plain.jsonl"],
] as const)("a stream of %s that stops before its last blank line", (protocol, path) => {
  it("a stream without its last blank line is relayed whole, however it was cut", () => {
    const text = streamOf(path)
      .map((line) => framed(line.startsWith('"') ? JSON.parse(line) : line))
      .join("");
    const bytes = Buffer.from(text.trimEnd());
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
        const pump = relayOf(codecs[protocol] as AnyCodec);
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const out = at.slice(1).map((end, i) => pump.push(bytes.subarray(at[i], end)));
        out.push(pump.finish());
        const whole = Buffer.concat(out.map((piece) => Buffer.from(piece, "latin1"))).toString();
        expect(whole.startsWith(text)).toBe(true);
        expect(["", framed(DONE)]).toContain(whole.slice(text.length));
      }),
    );
  });
});
