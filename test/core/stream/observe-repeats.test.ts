import { type AnyCodec, codecs, observe } from "@manifold-gateway/core";
import type { Json } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const responses = codecs.responses as AnyCodec;
const message = (text: string): Json => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});
const delta = (text: string): Json => ({
  type: "response.output_text.delta",
  item_id: "msg_1",
  output_index: 0,
  content_index: 0,
  delta: text,
});
const end = (status: string, text: string): Json => ({
  type: `response.${status}`,
  response: {
    id: "resp_1",
    status,
    output: [message(text)],
    error: status === "failed" ? { code: "server_error", message: "It broke." } : null,
    usage: { input_tokens: 10, output_tokens: 1100, total_tokens: 1110 },
  },
});
const watched = (chunks: Json[]) => {
  const watch = observe(responses);
  for (const chunk of chunks) watch.chunk(JSON.stringify(chunk));
  return watch.end();
};

describe("replies whose last chunk repeats them", () => {
  test.each(["completed", "incomplete", "failed", "cancelled"])(
    "a reply whose last chunk repeats it is counted once: %s",
    (status) => {
      const text = "x".repeat(4000);
      const seen = watched([...text.match(/.{40}/g)!.map(delta), end(status, text)]);
      expect(seen).toMatchObject({ content: 4000, usage: { output: 1100 } });
    },
  );

  test("a repeated reply is counted once also where its pieces contain the names of events", () => {
    const texts = fc.array(fc.constantFrom("abc", "response.completed", "response.failed ", "de"), {
      minLength: 1,
    });
    fc.assert(
      fc.property(texts, fc.boolean(), (pieces, told) => {
        const text = pieces.join("");
        const done = {
          type: "response.output_text.done",
          item_id: "msg_1",
          output_index: 0,
          content_index: 0,
          text,
        };
        const chunks = [...pieces.map(delta), ...(told ? [done] : []), end("completed", text)];
        expect(watched(chunks).content).toBe(text.length);
        expect(watched(chunks.slice(0, -1)).content).toBe(text.length);
      }),
    );
  });

  test("content that only the last chunk has is counted too", () => {
    expect(watched([end("failed", "never streamed")]).content).toBe(14);
  });
});
