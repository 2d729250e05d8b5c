import { type AnyCodec, codecs, DONE, readChunk, readFrames, writeChunk } from "@manifold-gateway/core";
import { isObject, type Json, run } from "@manifold-gateway/core/codec";
import { type Reply as Folded, fold } from "@manifold-gateway/core/ir";
import { NoReason, openReply, type Reply, type ReplyOptions, replyBytes } from "@manifold-gateway/core/reply";
import { arrayStream } from "@manifold-gateway/core/wire";
import { describe, expect, it } from "vitest";
import { every, head, rows, streams } from "../../laws/fixtures.ts";

const open = (upstream: AnyCodec, caller: AnyCodec, options?: ReplyOptions): Reply =>
  openReply({ caller, upstream, translated: caller !== upstream }, head, options);
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const streamOf = (chunks: readonly Json[], codec: AnyCodec): string =>
  chunks.map((chunk) => writeChunk(chunk, codec)).join("");
const textOf = (reply: Reply, written: string): string =>
  new TextDecoder().decode(replyBytes(written, reply.encoding));
const read = (codec: AnyCodec, text: string): Folded =>
  fold(run(codec.reply.decode(), run(readFrames(), [encode(text)]).map(readChunk)));

/** A relay fails at once at a chunk that is no object. */
const objects = streams.filter(({ value }) => value.every((chunk) => isObject(chunk) || chunk === DONE));
const LOST = "The connection was lost.";

describe("a stream that is cut", () => {
  it.each(rows(objects))(
    "ends by an error of the caller's protocol, in its vendor's form: %s",
    (_, stream) => {
      for (const to of every)
        for (const length of [1, Math.ceil(stream.value.length / 2)]) {
          const chunks = stream.value.slice(0, length);
          if (fold(run(stream.codec.reply.decode(), chunks)).choices.some(({ finish }) => finish)) continue;
          const reply = open(stream.codec, to);
          const sent = streamOf(chunks, stream.codec);
          const before = reply.push(encode(sent));
          const text = textOf(reply, before + reply.finish(LOST));
          const { failure } = read(to, text);
          expect(failure?.message).toBeTruthy();
          if (stream.codec === to) expect(text.startsWith(textOf(reply, before))).toBe(true);
          const own = fold(run(stream.codec.reply.decode(), chunks)).failure;
          if (own?.status === 502) expect(failure?.message).toBe(LOST);
        }
    },
  );

  it("of chats ends by the vendor's object, in the service's form by a text", () => {
    const chunk = { choices: [{ index: 0, delta: { content: "a" } }] };
    for (const upstream of [codecs.chatstyle, codecs.msgstyle] as AnyCodec[])
      for (const serviceForm of [false, true]) {
        const plan = {
          caller: codecs.chatstyle as AnyCodec,
          upstream,
          translated: upstream.protocol !== "chatstyle",
        };
        const reply = openReply(plan, { ...head, serviceForm });
        reply.push(encode(upstream.protocol === "chatstyle" ? streamOf([chunk], upstream) : ""));
        const written = textOf(reply, reply.finish(LOST));
        const { error } = JSON.parse(written.slice("data: ".length)) as { error: unknown };
        if (serviceForm) expect(error).toBe(LOST);
        else expect(error).toMatchObject({ message: LOST, code: 502, type: "server_error" });
        expect(written).not.toContain("DONE");
      }
  });

  it("in one array stays readable JSON", () => {
    const { genstyle } = codecs as Record<string, AnyCodec>;
    const chunk = { candidates: [{ content: { role: "model", parts: [{ text: "a" }] }, index: 0 }] };
    for (const fault of [undefined, LOST]) {
      const reply = open(genstyle!, genstyle!, { framing: arrayStream() });
      const text = reply.push(encode(streamOf([chunk], genstyle!))) + reply.finish(fault);
      expect(JSON.parse(text)).toEqual([chunk, { error: expect.objectContaining({ code: 502 }) }]);
    }
  });
});

it("an error that a provider sends in a chat stream is relayed as it came, but for credentials", () => {
  const chat = codecs.chatstyle as AnyCodec;
  const reply = open(chat, chat, { secrets: () => ["sk-very-secret-key"] });
  const sent = 'data: {"error":{"message":"Bad key sk-very-secret-key","code":"x"}}\n\n';
  expect(reply.push(encode(sent)) + reply.finish()).toBe(sent.replace("sk-very-secret-key", "[redacted]"));
  expect(reply.observation().failure?.message).toContain("Bad key");
});

describe.each(every.map((codec) => [codec.protocol, codec] as const))("an error status of %s", (_, from) => {
  const failure = { kind: "rate_limit", status: 429, message: "Slower, sk-very-secret-key." } as const;
  const bytes = encode(JSON.stringify(from.failure.encode(failure).body));
  const headers = { "retry-after": "7" };

  it("becomes the caller's error with its status and pause, without credentials", () => {
    for (const to of every) {
      const reply = open(from, to, { secrets: () => ["sk-very-secret-key"] });
      const whole = reply.whole(429, headers, bytes);
      expect(whole).toMatchObject({ status: 429, headers });
      const body = (typeof whole.body === "string" ? JSON.parse(whole.body) : whole.body) as Json;
      expect(to.failure.decode(429, body)).toMatchObject({
        kind: "rate_limit",
        message: "Slower, [redacted].",
      });
      expect(reply.observation().failure?.message).toBe("Slower, [redacted].");
    }
  });

  it("that has a proxy's page for a reason has none, and keeps its status and pause", () => {
    for (const to of every)
      for (const page of ["<html><h1>Bad Gateway</h1></html>", ""])
        expect(() => open(from, to).whole(503, headers, encode(page))).toThrow(
          expect.objectContaining({ constructor: NoReason, status: 503, headers }) as Error,
        );
  });
});

it("a pause that is a date is relayed where the time is known, up to a day", () => {
  const chat = codecs.chatstyle as AnyCodec;
  const now = Date.UTC(2026, 0, 1);
  const pause = (date: number, options: ReplyOptions): unknown =>
    open(chat, chat, options).whole(503, { "retry-after": [new Date(date).toUTCString()] }, encode("Busy"))
      .headers["retry-after"];
  expect(pause(now + 5_000, { now })).toBe(new Date(now + 5_000).toUTCString());
  expect(pause(now + 5_000, {})).toBeUndefined();
  expect(pause(now + 10 * 86_400_000, { now })).toBe("86400");
});

it("a relayed body keeps its bytes but for the model's name", () => {
  const chat = codecs.chatstyle as AnyCodec;
  const body =
    ' {"model":"theirs", "choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"}]}';
  expect(open(chat, chat).whole(200, {}, encode(body))).toEqual({ status: 200, headers: {}, body });
  const renamed = open(chat, chat, { name: "ours" }).whole(200, {}, encode(body));
  expect(renamed.body).toBe(body.replace("theirs", "ours"));
  const bytes = Uint8Array.from([...encode(body.slice(0, -1)), ...encode(',"x":"'), 0xff, 0x22, 0x7d]);
  expect(open(chat, chat).whole(200, {}, bytes).body).toBe(bytes);
});
