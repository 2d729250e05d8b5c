import {
  MalformedReply,
  observeBody,
  TranslatedReply,
  translateBody,
  writeChunk,
} from "@manifold-gateway/core";
import { run, translateChunks, truncated } from "@manifold-gateway/core/codec";
import { fold } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FailureKind, statusOfKind } from "../../packages/core/src/ir/failure.ts";
import { bodies, every, head, rows, streams } from "./fixtures.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const bytesOf = (value: unknown): Uint8Array => encode(JSON.stringify(value));

const streamed = rows(streams).flatMap(([name, stream]) =>
  every.map((to) => [name, to.protocol, stream, to] as const),
);
const whole = rows(bodies).flatMap(([name, body]) =>
  every.map((to) => [name, to.protocol, body, to] as const),
);

describe("a translated reply", () => {
  test.each(streamed)(
    "a translated stream has the same text however its bytes are cut: %s to %s",
    (_, _to, { codec, value }, to) => {
      const bytes = encode(value.map((chunk) => writeChunk(chunk, codec)).join(""));
      const expected = run(translateChunks({ from: codec, to, head }), value)
        .map((chunk) => writeChunk(chunk, to))
        .join("");
      fc.assert(
        fc.property(fc.array(fc.nat(bytes.length), { maxLength: 4 }), (cuts) => {
          const reply = new TranslatedReply(codec, to, head);
          const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
          const pieces = at.slice(1).map((end, index) => reply.push(bytes.subarray(at[index], end)));
          expect(pieces.join("") + reply.finish()).toBe(expected);
          const { usage, failure } = fold(run(codec.reply.decode(), value));
          expect(reply.observation()).toMatchObject({ ...(usage && { usage }), ...(failure && { failure }) });
        }),
        { numRuns: 5 },
      );
    },
  );

  test.each(whole)(
    "a translated body is that of a stream that arrived at once: %s to %s",
    (_, _to, { codec, value }, to) => {
      const reply = new TranslatedReply(codec, to, head);
      const answer = reply.whole(200, {}, bytesOf(value));
      const { failure } = reply.observation();
      expect(answer).toMatchObject(
        failure
          ? to.failure.encode(failure)
          : { status: 200, body: translateBody(value, { from: codec, to, head }).body },
      );
      const unary = new TranslatedReply(codec, to, head, { unary: true });
      expect(unary.push(bytesOf(value))).toBe("");
      const chunks = run(translateChunks({ from: codec, to, head }), codec.reply.burst(value));
      expect(unary.finish()).toBe(chunks.map((chunk) => writeChunk(chunk, to)).join(""));
    },
  );
});

describe.each(every.map((codec) => [codec.protocol, codec] as const))("a reply of %s", (_, codec) => {
  test.each(every.map((to) => [to.protocol, to] as const))(
    "a stream that breaks off ends with the reason and without its completion: to %s",
    (_to, to) => {
      const reply = new TranslatedReply(codec, to, head);
      const text = reply.push(encode(": alive\n\n")) + reply.finish("The connection was lost.");
      expect(text).toContain("The connection was lost.");
      expect(reply.observation().failure).toEqual({ ...truncated, message: "The connection was lost." });
    },
  );

  test("bytes that are not a reply are refused, and count nothing", () => {
    for (const text of ["", "<html></html>", "null", "3", '"text"', "{", "{}"]) {
      const reply = new TranslatedReply(codec, codec, head);
      expect(() => reply.whole(200, {}, encode(text))).toThrow(MalformedReply);
      expect(reply.observation()).toEqual({ content: 0 });
      const unary = new TranslatedReply(codec, codec, head, { unary: true });
      unary.push(encode(text));
      expect(() => unary.finish()).toThrow(MalformedReply);
      expect(unary.observation()).toEqual({ content: 0 });
    }
    expect(() => new TranslatedReply(codec, codec, head).finish()).toThrow(MalformedReply);
    for (const text of ["data: <p>\n\n", "data: {\n\n"])
      expect(() => new TranslatedReply(codec, codec, head).push(encode(text))).toThrow(MalformedReply);
  });

  test("an answer with an error status is the caller's error, in its words", () => {
    const failure = { kind: "rate_limit", status: 429, message: "Slower." } as const;
    const { body } = codec.failure.encode(failure);
    for (const to of every)
      for (const sent of [bytesOf(body), encode("Slower.\n")]) {
        const { status, body } = new TranslatedReply(codec, to, head).whole(429, {}, sent);
        expect([status, JSON.stringify(body)]).toEqual([429, expect.stringContaining("Slower.")]);
      }
    const page = encode("<html>Bad gateway</html>");
    expect(() => new TranslatedReply(codec, codec, head).whole(502, {}, page)).toThrow(
      "The provider failed with status 502 and no readable reason.",
    );
  });

  test.each(Object.entries(statusOfKind) as [FailureKind, number][])(
    "an error with a status of success keeps its words, whatever it is: %s",
    (kind, status) => {
      const { body } = codec.failure.encode({ kind, status, message: "Provider disconnected" });
      for (const to of every) {
        const answer = new TranslatedReply(codec, to, head).whole(200, {}, bytesOf(body));
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(JSON.stringify(answer.body)).toContain("Provider disconnected");
      }
      expect(observeBody(codec, body).failure?.message).toBe("Provider disconnected");
    },
  );
});
