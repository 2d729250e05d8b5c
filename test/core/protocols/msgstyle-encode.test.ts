import type { TextRequest, Usage } from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import type { AssistantPart, Event, Seal } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { expect, test } from "vitest";
import { run } from "../../../packages/core/src/codec/machine.ts";
import { fold, unfold } from "../../../packages/core/src/ir/fold.ts";
import { collectLosses } from "../../../packages/core/src/ir/loss.ts";
import { type MessagesChunk, msgstyle } from "../../../packages/core/src/protocols/msgstyle/index.ts";
import { call, model, result, user } from "./msgstyle-kit.ts";

const { reply } = msgstyle;
const head = { id: "x1", model: "m-1", created: 1 };
const foreign: Seal = { protocol: "genstyle", value: "CiQB4/==" };
const decode = (wire: JsonObject): TextRequest =>
  msgstyle.request.decode(msgstyle.request.schema.parse(wire));
const wireOf = (messages: Json[], more: JsonObject = {}): JsonObject => ({
  model: "m",
  max_tokens: 10,
  messages,
  ...more,
});

test("a signature that only follows text is no block of its own, and one that begins a turn is", () => {
  const contentOf = (parts: AssistantPart[]) => {
    const { losses, lose } = collectLosses();
    const events = unfold({ choices: [{ parts, finish: { reason: "stop" } }] });
    const { content } = reply.gather(run(reply.encode(head, lose), events));
    return [content.map(({ type }) => type), losses.map(({ path }) => path)];
  };
  const signature: AssistantPart = { type: "reasoning", text: "", seal: foreign };
  const thought: AssistantPart = { type: "reasoning", text: "hm" };
  const said: AssistantPart = { type: "text", text: "Hi." };
  expect(contentOf([thought, said, signature])).toEqual([["thinking", "text"], ["/choices/0/parts/2/seal"]]);
  expect(contentOf([signature, said])).toEqual([["thinking", "text"], []]);
  const own: AssistantPart = { ...signature, seal: { protocol: "responses", value: "state" } };
  expect(contentOf([said, own, call("c1")])).toEqual([["text", "thinking", "tool_use"], []]);
});

test("seals of others are unpacked from signatures, redacted data and ids", () => {
  const events: Event[] = [
    ...unfold({
      choices: [
        {
          parts: [
            { type: "reasoning", text: "hm", seal: foreign },
            { type: "reasoning", text: "", seal: foreign },
            { type: "reasoning", text: "", redacted: true, seal: foreign },
            { type: "reasoning", text: "unsigned" },
            { ...call("c1"), seal: foreign },
          ],
          finish: { reason: "tool_calls" },
        },
      ],
    }),
  ];
  const { losses, lose } = collectLosses();
  const { content } = reply.gather(run(reply.encode(head, lose), events));
  expect(losses).toEqual([]);
  expect(content.map(({ type }) => type)).toEqual([
    "thinking",
    "thinking",
    "redacted_thinking",
    "thinking",
    "tool_use",
  ]);
  expect(content[3]).toEqual({ type: "thinking", thinking: "unsigned", signature: "" });
  const used = content[4] as { id: string };
  expect(used.id).toMatch(/^c1-[a-zA-Z0-9_-]+$/);
  // The client sends the blocks back as they are, and the result under the id that it was given.
  const { messages } = decode(
    wireOf([
      { role: "user", content: "hi" },
      { role: "assistant", content: content as unknown as Json },
      { role: "user", content: [{ type: "tool_result", tool_use_id: used.id, content: "ok" }] },
    ]),
  );
  expect(messages.slice(1)).toEqual([
    model(
      { type: "reasoning", text: "hm", seal: foreign },
      { type: "reasoning", text: "", seal: foreign },
      { type: "reasoning", text: "", redacted: true, seal: foreign },
      { type: "reasoning", text: "unsigned" },
      { ...call("c1"), seal: foreign },
    ),
    user(result("c1")),
  ]);
});

const zero: Usage = { input: 1, output: 1 };
const write = (events: Event[]): { chunks: MessagesChunk[]; losses: string[] } => {
  const { losses, lose } = collectLosses();
  return { chunks: run(reply.encode(head, lose), events), losses: losses.map(({ path }) => path) };
};
/** Chunks in short: `+1` starts block 1, `=1 x` adds x to it, `-1` stops it. */
const brief = (chunks: MessagesChunk[]): string[] =>
  chunks.map((chunk) => {
    if (chunk.type === "content_block_start") return `+${chunk.index} ${chunk.content_block.type}`;
    if (chunk.type === "content_block_stop") return `-${chunk.index}`;
    if (chunk.type !== "content_block_delta") return chunk.type;
    const { type: _, ...delta } = chunk.delta;
    return `=${chunk.index} ${Object.values(delta)[0]}`;
  });

test("simultaneous parts are written one after the other, the first as it comes", () => {
  const encoder = reply.encode(head, () => {});
  const steps = (...events: Event[]): string[] => brief(events.flatMap((event) => encoder.step(event)));
  expect(steps({ type: "open", index: 0, part: { type: "call", id: "a", name: "f" } })).toEqual([
    "message_start",
    "+0 tool_use",
  ]);
  expect(
    steps(
      { type: "open", index: 1, part: { type: "call", id: "b", name: "g" } },
      { type: "delta", index: 0, text: '{"x"' },
      { type: "delta", index: 1, text: '{"y"' },
      { type: "delta", index: 0, text: ":1}" },
    ),
  ).toEqual(['=0 {"x"', "=0 :1}"]);
  expect(steps({ type: "close", index: 0 })).toEqual(["-0", "+1 tool_use", '=1 {"y"']);
  expect(steps({ type: "delta", index: 1, text: ":2}" }, { type: "close", index: 1 })).toEqual([
    "=1 :2}",
    "-1",
  ]);
  expect(steps({ type: "finish", reason: "tool_calls" }, { type: "usage", usage: zero })).toEqual([]);
  expect(brief(encoder.end())).toEqual(["message_delta", "message_stop"]);
});

test("empty text opens no block, no arguments are an empty object", () => {
  const { chunks } = write([
    { type: "start" },
    { type: "open", index: 0, part: { type: "text" } },
    { type: "delta", index: 0, text: "" },
    { type: "close", index: 0 },
    { type: "open", index: 1, part: { type: "reasoning" } },
    { type: "close", index: 1 },
    { type: "open", index: 2, part: { type: "call", id: "a", name: "f" } },
    { type: "close", index: 2 },
    { type: "finish", reason: "tool_calls" },
  ]);
  expect(brief(chunks)).toEqual([
    "message_start",
    "+0 tool_use",
    "=0 {}",
    "-0",
    "message_delta",
    "message_stop",
  ]);
});

test.each([true, false])("usage counts at the end, before the finish or after it (%s)", (before) => {
  const usage: Event = {
    type: "usage",
    usage: {
      input: 100,
      output: 7,
      cacheRead: 60,
      cacheWrite: 30,
      cacheWriteLong: 10,
      reasoning: 2,
      audioInput: 1,
    },
  };
  const finish: Event = { type: "finish", reason: "stop_sequence", sequence: "END" };
  const { chunks, losses } = write([{ type: "start" }, ...(before ? [usage, finish] : [finish, usage])]);
  expect(chunks.at(-2)).toEqual({
    type: "message_delta",
    delta: { stop_reason: "stop_sequence", stop_sequence: "END", stop_details: null, container: null },
    usage: {
      input_tokens: 10,
      output_tokens: 7,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
      output_tokens_details: { thinking_tokens: 2 },
      server_tool_use: null,
    },
  });
  expect(losses).toEqual(["/usage/audioInput"]);
  expect(chunks[0]).toMatchObject({
    message: { id: "msg_x1", model: "m-1", usage: { input_tokens: 0, output_tokens: 0 } },
  });
});

test("nothing after a failure looks like an end", () => {
  const { chunks } = write([
    { type: "failure", failure: { kind: "overloaded", status: 529, message: "busy" } },
    { type: "finish", reason: "stop" },
  ]);
  expect(chunks.map(({ type }) => type)).toEqual(["message_start", "error"]);
  expect(chunks[1]).toEqual({ type: "error", error: { type: "overloaded_error", message: "busy" } });
  expect(reply.gather(chunks)).toEqual(chunks[1]);
  expect(brief(write([{ type: "start" }]).chunks)).toEqual(["message_start"]);
});

test("what the wire cannot express of a reply is reported", () => {
  const { chunks, losses } = write([
    { type: "open", index: 0, part: { type: "media", kind: "image", source: { type: "url", url: "u" } } },
    { type: "close", index: 0 },
    { type: "open", index: 1, part: { type: "text", refusal: true } },
    { type: "delta", index: 1, text: "No." },
    { type: "logprobs", index: 1, tokens: [{ token: "No.", logprob: -1 }] },
    { type: "cite", index: 1, citation: { url: "https://e.com", title: "E", start: 0, end: 3 } },
    { type: "close", index: 1 },
    { type: "open", index: 2, choice: 1, part: { type: "text" } },
    { type: "delta", index: 2, text: "other" },
    { type: "finish", reason: "stop" },
    { type: "finish", choice: 1, reason: "stop" },
    { type: "usage", usage: zero },
  ]);
  expect(losses).toEqual([
    "/choices/0/parts/0",
    "/choices/0/parts/1/refusal",
    "/choices/0/parts/1/logprobs",
    "/choices/0/parts/1/citations",
    "/choices/1",
    "/choices/0/finish/reason",
  ]);
  const body = reply.gather(chunks);
  expect(body.stop_reason).toBe("refusal");
  expect(body.content).toEqual([
    {
      type: "text",
      text: "No.",
      citations: [
        {
          type: "web_search_result_location",
          url: "https://e.com",
          title: "E",
          cited_text: "",
          encrypted_index: "",
        },
      ],
    },
  ]);
});

test("blocks are a sequence and nothing is lost, whatever the order of the parts", () => {
  const kinds = [{ type: "text" }, { type: "reasoning" }, { type: "call", id: "a", name: "f" }] as const;
  const pieces = fc.array(fc.tuple(fc.nat(3), fc.stringMatching(/^[a-z]{1,3}$/)), { maxLength: 20 });
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...kinds), { minLength: 4, maxLength: 4 }),
      pieces,
      (parts, deltas) => {
        const events: Event[] = [
          ...parts.map((part, index): Event => ({ type: "open", index, part })),
          ...deltas.map(([index, piece]): Event => ({ type: "delta", index, text: piece })),
          ...parts.map((_, index): Event => ({ type: "close", index: 3 - index })),
          { type: "finish", reason: "length" },
        ];
        const { chunks } = write(events);
        let open: number | undefined;
        let next = 0;
        for (const chunk of chunks)
          if (chunk.type === "content_block_start") {
            expect([open, chunk.index]).toEqual([undefined, next]);
            open = next++;
          } else if (chunk.type === "content_block_delta") expect(chunk.index).toBe(open);
          else if (chunk.type === "content_block_stop") {
            expect(chunk.index).toBe(open);
            open = undefined;
          }
        // Text and reasoning of nothing open no block, a call of nothing has an empty object.
        const said = (fold(events).choices[0]?.parts ?? []).flatMap((part): AssistantPart[] => {
          if (part.type === "call") return [{ ...part, arguments: part.arguments || "{}" }];
          return "text" in part && part.text === "" ? [] : [part];
        });
        const heard = fold(run(reply.decode(), chunks as unknown as Json[])).choices[0]?.parts;
        expect(heard).toEqual(said);
      },
    ),
  );
});
