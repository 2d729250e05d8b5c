import { type AnyCodec, codecs, MalformedReply } from "@manifold-gateway/core";
import { COMMENT } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { relayOf } from "../../support/relay.ts";
import { scripted } from "./scripted.ts";

const upstream = scripted();
const chatstyle = codecs.chatstyle as AnyCodec;
const chunk = (content: string): string =>
  `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`;
const END = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;

/** What a relay lets out of the pieces, as bytes. */
function relayed(pieces: Uint8Array[], fault?: string): Buffer {
  const pump = relayOf(chatstyle);
  const out = pieces.map((piece) => pump.push(piece));
  out.push(pump.finish(fault));
  return Buffer.concat(out.map((text) => Buffer.from(text, "latin1")));
}

describe("a relayed stream", () => {
  it("a relayed stream keeps every byte, however it was cut, also where it is not UTF-8", () => {
    const bytes = Buffer.concat([
      Buffer.from(`: héllo\n\n${chunk("größe 😀")}`),
      Buffer.from(`data: {"choices":[{"delta":{"content":"`),
      Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
      Buffer.from(`"}}]}\n\n${chunk("plain")}${END}`),
    ]);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(relayed(pieces).equals(bytes)).toBe(true);
      }),
    );
  });

  it("a relayed chat stream has no lines but chunks and comments, however it was cut", () => {
    const json = chunk("größe").trimEnd();
    const hidden = json.slice("data: ".length);
    const sent = [
      "retry: 5\n\nid: 0\n\n",
      `\ufeff: first\nid: 1\n\n${json}\n\n`,
      `event: ping\ndata: {}\n\nevent: x\r\n${json}\r\nid: 2\r\n\r\n`,
      `data: : alive\n\ndata: \r${hidden}\n\n${json}\rretry: 1\r${hidden}\n\n`,
      `event: alone\n\n<p>\n\n${json}\r\n\r\n${json}\r\r: last\n\n${END}`,
    ].join("");
    const shown = [
      `\ufeff: first\n\n${json}\n\n`,
      `data: {}\n\n${json}\n\n`,
      `${COMMENT}${COMMENT}${json}\n\n`,
      `${json}\r\n\r\n${json}\n\n: last\n\n${END}`,
    ].join("");
    const bytes = Buffer.from(sent);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(String(relayed(pieces))).toBe(shown);
      }),
    );
  });

  it.each(["responses", "msgstyle", "genstyle"] as const)(
    "a relayed stream of another protocol keeps lines that are not data: %s",
    (protocol) => {
      const codec = codecs[protocol] as AnyCodec;
      const sent = `retry: 5\nid: 1\nevent: x\ndata: {"type":"x"}\n\n`;
      const pump = relayOf(codec);
      expect(pump.push(Buffer.from(sent))).toBe(sent);
    },
  );

  it("a relayed stream counts the characters of its content, whatever bytes they take", () => {
    const bytes = Buffer.from(chunk("größe".repeat(50)) + chunk("plain") + chunk("naïve") + END);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 4 }), (cuts) => {
        const pump = relayOf(chatstyle);
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        for (const [index, end] of at.slice(1).entries()) pump.push(bytes.subarray(at[index], end));
        pump.finish();
        expect(pump.observation()).toMatchObject({ content: 260, finish: { reason: "stop" } });
      }),
    );
  });

  it("a relayed stream is read to its end behind bytes that are not UTF-8", () => {
    const [before, after] = chunk("|").split("|") as [string, string];
    const damaged = Buffer.concat([Buffer.from(before), Buffer.alloc(9, 0xff), Buffer.from(after)]);
    for (const next of ["", "x", "plain", "a longer one"]) {
      const pump = relayOf(chatstyle);
      const usage = `data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}\n\n`;
      pump.push(Buffer.concat([damaged, Buffer.from(chunk(next) + usage + END)]));
      pump.finish();
      expect(pump.observation()).toMatchObject({
        finish: { reason: "stop" },
        usage: { input: 3, output: 4 },
      });
    }
  });

  it("a relayed stream has nothing after its end, whatever upstream adds", () => {
    const whole = Buffer.from(chunk("plain") + END);
    const more = `: late\n\nno event\n\n${chunk("late")}data: [DONE]\n\n`;
    expect(relayed([whole, Buffer.from(more)]).equals(whole)).toBe(true);
    expect(relayed([Buffer.concat([whole, Buffer.from(more)])]).equals(whole)).toBe(true);
  });

  it("a relayed stream passes an event of ten megabytes, and fails at one beyond the limit", () => {
    const long = Buffer.from(chunk("x".repeat(10_000_000)) + END);
    const pieces = [];
    for (let at = 0; at < long.length; at += 65_536) pieces.push(long.subarray(at, at + 65_536));
    expect(relayed(pieces).equals(long)).toBe(true);
    const pump = relayOf(chatstyle);
    expect(() => {
      for (let at = 0; at < 300; at++) pump.push(Buffer.alloc(65_536, "x"));
    }).toThrow(MalformedReply);
  });

  it.each(["chatstyle", "responses", "msgstyle", "genstyle"] as const)(
    "a stream none of whose events arrived is not relayed: %s",
    (protocol) => {
      for (const sent of [
        "",
        "\n\n",
        "<html>\n\n<body>502 Bad Gateway</body>\n\n</html>",
        ": alone\n\n",
        "data: [DONE]\n\n",
      ]) {
        const pump = relayOf(codecs[protocol] as AnyCodec);
        expect(pump.push(Buffer.from(sent))).toBe(sent.startsWith(":") ? sent : "");
        expect(() => pump.finish()).toThrow(MalformedReply);
        expect(pump.finish("It could not be read.")).not.toContain("html");
        expect(pump.observation().failure).toBeDefined();
      }
    },
  );

  it("a relayed stream ends with an in-band error where its last event is damaged and has no end", async () => {
    const text = `${chunk("before")}data: {"choices":[{"delta":{"con`;
    upstream.tell({ type: "text/event-stream", text });
    const answer = await (await upstream.ask("chatstyle", "chatstyle", true)).text();
    expect(answer.startsWith(chunk("before"))).toBe(true);
    expect(JSON.parse(answer.slice(chunk("before").length).replace("data: ", ""))).toHaveProperty("error");
    expect(answer).not.toContain("[DONE]");
    await upstream.h.settled();
    const { results } = await upstream.h.store.generations.list(
      { accountId: "acc" },
      { offset: 0, limit: 1 },
    );
    expect(results.map(({ status }) => status)).toEqual(["failed"]);
  });
});
