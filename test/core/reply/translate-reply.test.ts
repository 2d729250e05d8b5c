import {
  type AnyCodec,
  chatstyle,
  msgstyle,
  type Observation,
  parseWire,
  readChunk,
  readFrames,
  TranslatedReply,
  translateBody,
  translateRequest,
  translateStream,
  writeChunk,
} from "@manifold-gateway/core";
import { type Json, run } from "@manifold-gateway/core/codec";
import { fold } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RelayedReply } from "../../../packages/core/src/reply/relayed-reply.ts";
import { bodies, every, head, of, streams } from "../../laws/fixtures.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

describe.each(every.map((codec) => [codec.protocol, codec] as const))("a reply of %s", (_, from) => {
  it("a translated stream is what the reply of the gateway writes, however it is cut", async () => {
    const [{ value }] = of(streams, from) as [(typeof streams)[number]];
    const bytes = encode(value.map((chunk) => writeChunk(chunk, from)).join(""));
    for (const to of every) {
      const reply = new TranslatedReply(from, to, head);
      const expected = reply.push(bytes) + reply.finish();
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 6 }), async (cuts) => {
          const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
          const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
          const ends: Observation[] = [];
          const onEnd = (observation: Observation) => void ends.push(observation);
          expect(await textOf(translateStream(pieces, { from, to, head, onEnd }))).toBe(expected);
          expect(ends).toEqual([reply.observation()]);
        }),
        { numRuns: 5 },
      );
    }
  });

  it("a stream whose connection breaks, or that is no reply, ends by an error of the caller's protocol", async () => {
    async function* broken() {
      yield encode(": alive\n\n");
      throw new TypeError("terminated");
    }
    for (const to of every)
      for (const bytes of [broken(), [encode("<html>")], [encode("data: {\n\n")], []]) {
        const ends: Observation[] = [];
        const text = await textOf(
          translateStream(bytes, { from, to, head, onEnd: (end) => void ends.push(end) }),
        );
        const frames = run(readFrames(), [encode(text)]).map(readChunk);
        expect(fold(run(to.reply.decode(), frames)).failure).toBeDefined();
        expect(ends[0]?.failure).toBeDefined();
        expect(text).not.toContain("terminated");
      }
  });

  it("a body is answered with its status, and one that is no reply with an error of status 502", () => {
    for (const to of every) {
      for (const text of ["{", "", "null", "3", "{}", "[".repeat(1_000)]) {
        const { status, body, observation } = translateBody(parseWire(text), { from, to, head });
        expect(status).toBe(502);
        expect(to.failure.decode(status, body).message).toBe(observation.failure?.message);
      }
      const [whole] = of(bodies, from);
      if (!whole) continue;
      const reply = new TranslatedReply(from, to, head);
      const expected = reply.whole(200, {}, encode(JSON.stringify(whole.value)));
      expect(translateBody(whole.value, { from, to, head })).toMatchObject({
        status: expected.status,
        body: expected.body,
      });
    }
  });
});

it.each(streams.filter(({ name }) => name === "plain").map((one) => [one.protocol, one] as const))(
  "a stream that breaks after its finish is whole: %s",
  async (_, { codec: from, value }) => {
    async function* broken() {
      yield encode(value.map((chunk) => writeChunk(chunk, from)).join(""));
      throw new TypeError("terminated");
    }
    const ends: Observation[] = [];
    await textOf(
      translateStream(broken(), { from, to: msgstyle, head, onEnd: (end) => void ends.push(end) }),
    );
    expect(ends[0]).toMatchObject({ finish: { reason: "stop" } });
    expect(ends[0]?.failure).toBeUndefined();
  },
);

describe("an error in place of a stream, or in it against the rules, keeps its words and its kind", () => {
  const begun = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n';
  const error = { code: 429, message: "Too busy." };
  const rows: [string, string][] = [
    ["the body alone", JSON.stringify({ error })],
    ["the body, indented", JSON.stringify({ error }, null, 2)],
    ["the body behind chunks", begun + JSON.stringify({ error })],
    ["a field", `${begun}error: ${JSON.stringify(error)}\n\ndata: [DONE]\n\n`],
    ["an event of the name", `${begun}event: error\ndata: ${JSON.stringify(error)}\n\n`],
  ];
  it.each(rows)("%s, translated", async (_, text) => {
    for (const cut of [0, 3, text.length - 4]) {
      const ends: Observation[] = [];
      const pieces = [encode(text.slice(0, cut)), encode(text.slice(cut))];
      const onEnd = (end: Observation) => void ends.push(end);
      const written = await textOf(translateStream(pieces, { from: chatstyle, to: msgstyle, head, onEnd }));
      expect(ends[0]?.failure).toMatchObject({ kind: "rate_limit", status: 429, message: "Too busy." });
      expect(written).toContain("Too busy.");
    }
  });
  it.each(rows.slice(0, 4))("%s, relayed", (_, text) => {
    const reply = new RelayedReply(chatstyle as AnyCodec, chatstyle as AnyCodec, head);
    const relayed = reply.push(encode(text)) + reply.finish();
    expect(reply.observation().failure).toMatchObject({ kind: "rate_limit", message: "Too busy." });
    const frames = run(readFrames(), [encode(relayed)]).map(readChunk);
    expect(fold(run(chatstyle.reply.decode(), frames)).failure?.message).toBe("Too busy.");
  });
});

it("facts about the bill are read of the finish too, where the usage lacks them", async () => {
  const chunks: Json[] = [
    { model: "theirs", choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }] },
    { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
    "[DONE]",
  ];
  const ends: Observation[] = [];
  const bytes = encode(chunks.map((chunk) => writeChunk(chunk, chatstyle as AnyCodec)).join(""));
  const onEnd = (end: Observation) => void ends.push(end);
  await textOf(translateStream([bytes], { from: chatstyle, to: msgstyle, head, onEnd }));
  expect(ends[0]).toMatchObject({ billed: { model: "theirs" }, usage: { input: 1 } });
});

it("a reply in place of a stream is a stream", async () => {
  const body = { choices: [{ index: 0, message: { content: "Hi" }, finish_reason: "stop" }] };
  const text = await textOf(
    translateStream([encode(JSON.stringify(body))], { from: chatstyle, to: msgstyle, head }),
  );
  expect(fold(run(msgstyle.reply.decode(), run(readFrames(), [encode(text)]).map(readChunk)))).toMatchObject({
    choices: [{ parts: [{ text: "Hi" }], finish: { reason: "stop" } }],
  });
});

it("a reader that leaves a stream ends the iteration of the provider's bytes", async () => {
  let isLeft = false;
  const chunk = { choices: [{ index: 0, delta: { content: "a" } }] };
  async function* endless() {
    try {
      for (;;) yield encode(writeChunk(chunk, chatstyle as AnyCodec));
    } finally {
      isLeft = true;
    }
  }
  const ends: Observation[] = [];
  for await (const text of translateStream(endless(), {
    from: chatstyle,
    to: msgstyle,
    head,
    onEnd: (end) => void ends.push(end),
  }))
    if (text !== "") break;
  expect([isLeft, ends.length]).toEqual([true, 1]);
});

it("a loss of a request names the caller's member and the canonical one", () => {
  const wire = { model: "m", n: 2, max_tokens: 9, messages: [{ role: "user", content: "Hi" }] };
  const { losses } = translateRequest(wire, { from: chatstyle, to: msgstyle });
  expect(losses).toEqual([
    expect.objectContaining({ path: "/n", canonical: "/params/candidates", why: "unsupported" }),
  ]);
});

it("text in place of bytes is the program's mistake, and no broken connection", async () => {
  const text = ["data: {}\n\n"] as unknown as Uint8Array[];
  const translated = textOf(translateStream(text, { from: chatstyle, to: msgstyle, head }));
  await expect(translated).rejects.toThrow(new TypeError("translateStream takes bytes, not strings."));
});
