import { readdirSync, readFileSync } from "node:fs";
import { collectLosses, DONE, ignoreLosses, responses, type TextRequest } from "@manifold-gateway/core";
import { type Json, type JsonObject, run } from "@manifold-gateway/core/codec";
import { type Event, fold } from "@manifold-gateway/core/ir";
import type OpenAI from "openai";
import { ResponseStream } from "openai/lib/responses/ResponseStream";
import { describe, expect, expectTypeOf, test } from "vitest";
import type {
  Body as ResponsesBody,
  Chunk as ResponsesChunk,
} from "../../../packages/core/src/protocols/responses/schema.ts";

const folder = new URL("../../../packages/testing/fixtures/responses/", import.meta.url);
const names = (kind: string): string[] => readdirSync(new URL(kind, folder)).map((file) => `${kind}/${file}`);
const read = (path: string): string => readFileSync(new URL(path, folder), "utf8");
const lines = (path: string): Json[] =>
  read(path)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);

const decode = (
  wire: Record<string, unknown>,
  trace?: (node: object, pointer: string) => void,
): TextRequest => responses.request.decode(responses.request.schema.parse({ model: "m", ...wire }), trace);
const head = { id: "h", model: "m", created: 1_700_000_000 };
const write = (events: Event[], request?: TextRequest) => {
  const { losses, lose } = collectLosses();
  const machine = responses.reply.encode({ ...head, ...(request && { request }) }, lose);
  const chunks = run(machine, events);
  return { chunks, losses, body: responses.reply.gather(chunks) };
};
const say = (...events: Event[]): Event[] => [
  { type: "start" },
  ...events,
  { type: "finish", reason: "stop" },
  { type: "usage", usage: { input: 3, output: 2 } },
];
const text = (index: number, words: string): Event[] => [
  { type: "open", index, part: { type: "text" } },
  { type: "delta", index, text: words },
  { type: "close", index },
];
const types = (chunks: ResponsesChunk[]): string[] =>
  chunks.map((chunk) => (chunk === DONE ? chunk : chunk.type));

describe("the grammar of streamed responses", () => {
  test("items are announced, grow, end, and stand whole in the last chunk", () => {
    const { chunks, body } = write(
      say(
        { type: "open", index: 0, part: { type: "reasoning" } },
        { type: "delta", index: 0, text: "Hm." },
        { type: "close", index: 0, seal: { protocol: "msgstyle", value: "sig" } },
        ...text(1, "Hi"),
        { type: "open", index: 2, part: { type: "call", id: "c", name: "f" } },
        { type: "delta", index: 2, text: '{"a":1}' },
        { type: "close", index: 2 },
        ...text(3, "Done"),
      ),
    );
    expect(types(chunks)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.reasoning_summary_part.added",
      "response.reasoning_summary_text.delta",
      "response.reasoning_summary_text.done",
      "response.reasoning_summary_part.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.function_call_arguments.delta",
      "response.function_call_arguments.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
      DONE,
    ]);
    expect(body.output.map(({ type, id }) => [type, id])).toEqual([
      ["reasoning", "rs_h_0"],
      ["message", "msg_h_1"],
      ["function_call", "fc_h_2"],
      ["message", "msg_h_3"],
    ]);
    expect(body.usage?.total_tokens).toBe(5);
  });

  test("neighbouring texts share a message", () => {
    const { body } = write(say(...text(0, "a"), ...text(1, "b")));
    expect(body.output).toHaveLength(1);
    expect(body.output[0]).toMatchObject({ content: [{ text: "a" }, { text: "b" }], status: "completed" });
  });

  test.each([
    ["length", "incomplete", { reason: "max_output_tokens" }],
    ["content_filter", "incomplete", { reason: "content_filter" }],
    ["refusal", "incomplete", { reason: "content_filter" }],
    ["stop_sequence", "completed", null],
    ["pause", "completed", null],
  ] as const)("a reply with the finish %s ends as %s", (reason, status, details) => {
    const { body } = write([{ type: "start" }, ...text(0, "a"), { type: "finish", reason }]);
    expect([body.status, body.incomplete_details]).toEqual([status, details]);
    expect(body.output[0]?.status).toBe(status);
  });

  test.each([
    ['{"a": "ha', "incomplete"],
    ['{"a": "ha"}', "completed"],
    ["", "completed"],
  ])("a call with the arguments %j is %s", (written, status) => {
    const { body, chunks } = write([
      { type: "start" },
      { type: "open", index: 0, part: { type: "call", id: "c1", name: "f" } },
      { type: "delta", index: 0, text: written },
      { type: "close", index: 0 },
      { type: "finish", reason: "length" },
    ]);
    expect(body.output[0]).toMatchObject({ type: "function_call", status });
    const done = chunks.find((chunk) => chunk !== DONE && chunk.type === "response.output_item.done");
    expect(done).toMatchObject({ item: { status } });
  });

  test("nothing that looks like an end follows a failure, or comes without a finish", () => {
    const failure = { kind: "rate_limit", status: 429, message: "slow" } as const;
    const { chunks } = write([{ type: "start" }, ...text(0, "a"), { type: "failure", failure }]);
    const [error, failed] = chunks.slice(-2);
    expect(error).toMatchObject({ type: "error", code: "rate_limit_exceeded", message: "slow" });
    expect(failed).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: "rate_limit_exceeded", message: "slow" } },
    });
    expect(types(write([{ type: "start" }, ...text(0, "a")]).chunks)).not.toContain(DONE);
  });

  test("a response that fails has the items that are complete", () => {
    const failure = { kind: "server", status: 500, message: "No." } as const;
    const call = { type: "call", id: "c1", name: "f" } as const;
    const { chunks } = write([
      { type: "start" },
      ...text(0, "whole"),
      { type: "open", index: 1, part: call },
      { type: "delta", index: 1, text: '{"a' },
      { type: "failure", failure },
    ]);
    expect(chunks.at(-1)).toMatchObject({
      response: { output: [{ type: "message", status: "completed", content: [{ text: "whole" }] }] },
    });
  });

  test("the response repeats its request", () => {
    const request = decode({
      input: "x",
      instructions: "be",
      tools: [{ type: "function", name: "f" }],
      tool_choice: "required",
      max_output_tokens: 99,
      metadata: { a: "b" },
      previous_response_id: "resp_0",
      reasoning: { effort: "low" },
      temperature: 0,
    });
    expect(write(say(), request).body).toMatchObject({
      instructions: "be",
      tools: [{ type: "function", name: "f", description: null, parameters: null, strict: false }],
      tool_choice: "required",
      max_output_tokens: 99,
      metadata: { a: "b" },
      previous_response_id: "resp_0",
      reasoning: { effort: "low", summary: null },
      temperature: 0,
      truncation: "disabled",
    });
  });
});

describe("seals in a reply", () => {
  test.each([
    ["of a thought", { seal: { protocol: "msgstyle", value: "s/g+=" } }],
    ["of a thought without text", { redacted: true, seal: { protocol: "msgstyle", value: "data" } }],
    ["of its own", { seal: { protocol: "responses", value: "gAAA==" } }],
  ] as const)("a seal travels to the next turn: %s", (_, { seal, ...part }) => {
    const { body } = write(
      say(
        { type: "open", index: 0, part: { type: "reasoning", ...part } },
        { type: "close", index: 0, seal },
      ),
    );
    const [message] = decode({ input: body.output as unknown as Json[] }).messages;
    expect(message?.parts[0]).toMatchObject({ type: "reasoning", text: "", seal, ...part });
  });

  test("the seal of a call travels in its id and that of its result", () => {
    const seal = { protocol: "genstyle", value: "thought+/=" } as const;
    const { body } = write(
      say(
        { type: "open", index: 0, part: { type: "call", id: "c1", name: "f", seal } },
        { type: "close", index: 0 },
      ),
    );
    const [item] = body.output as unknown as JsonObject[];
    const output = { type: "function_call_output", call_id: item?.call_id as string, output: "r" };
    const [assistant, user] = decode({ input: [item as Json, output] }).messages;
    expect(assistant?.parts[0]).toMatchObject({ id: "c1", seal });
    expect(user?.parts[0]).toMatchObject({ id: "c1" });
  });
});

describe("the tolerant reading of responses", () => {
  const reply = (path: string) => fold(run(responses.reply.decode(), lines(`streams/${path}.jsonl`)));
  test("items count where the last chunk has none, and where deltas are missing", () => {
    expect(reply("empty-final").choices[0]?.parts).toMatchObject([
      { text: "Only in the items." },
      { id: "call_z", arguments: '{"ok":true}' },
    ]);
    expect(reply("no-deltas").choices[0]?.parts).toMatchObject([
      { text: "Without deltas" },
      { arguments: '{"ok":true}' },
    ]);
  });
  test("parallel items keep apart", () => {
    expect(reply("interleaved").choices[0]?.parts).toMatchObject([
      { name: "one", arguments: '{"a":1,"long":"argument"}' },
      { name: "two", arguments: '{"b":2,"long":"argument"}' },
    ]);
  });
  test.each([
    ["error", "rate_limit", 429],
    ["error-nested", "invalid", 400],
    ["failed", "server", 500],
    ["truncated", "unavailable", 502],
  ])("the stream %s is read as a failure", (path, kind, status) => {
    expect(reply(path).failure).toMatchObject({ kind, status });
  });
  test("calls decide how a reply ended, unless it was cut", () => {
    expect(reply("tools").choices[0]?.finish?.reason).toBe("tool_calls");
    expect(reply("search").choices[0]?.finish?.reason).toBe("stop");
    expect(reply("refusal").choices[0]?.finish?.reason).toBe("refusal");
    expect(reply("length").choices[0]?.finish).toEqual({ reason: "length", raw: "max_output_tokens" });
  });
});

describe("the vendor's own SDK", () => {
  test("the vendor's own SDK takes the types of what is written", () => {
    type Responses = typeof OpenAI.Responses;
    expectTypeOf<Responses>().not.toBeNever();
    // What a reply repeats of the request is as the caller wrote it; `output_text` is the SDK's own.
    type Repeated = "tools" | "tool_choice" | "text" | "reasoning" | "usage" | "truncation" | "service_tier";
    type Sdk = Omit<OpenAI.Responses.Response, Repeated | "output_text" | "access_programs" | "error">;
    expectTypeOf<Omit<ResponsesBody, Repeated | "error">>().toExtend<Sdk>();
    expectTypeOf<NonNullable<ResponsesBody["usage"]>>().toExtend<OpenAI.Responses.ResponseUsage>();
    type Growth = Exclude<ResponsesChunk, typeof DONE | { response: unknown }>;
    expectTypeOf<Growth>().toExtend<OpenAI.Responses.ResponseStreamEvent>();
  });

  const streams = names("streams").filter((path) => !/error|failed|truncated|unknown/.test(path));
  test.each(streams)("the vendor's own SDK accumulates %s as we wrote it", async (path) => {
    const events = run(responses.reply.decode(), lines(path));
    const chunks = run(responses.reply.encode(head, ignoreLosses), events);
    const bytes = chunks
      .filter((chunk) => chunk !== DONE)
      .map((chunk) => `${JSON.stringify(chunk)}\n`)
      .join("");
    const stream = new Blob([bytes]).stream();
    const final = await ResponseStream.fromReadableStream(stream).finalResponse();
    const body = JSON.parse(JSON.stringify(responses.reply.gather(chunks))) as JsonObject;
    // The SDK adds what it derives; everything that was written is in it.
    expect(final).toMatchObject(body);
    const said = fold(events).choices[0]?.parts.map((part) =>
      part.type === "text" && !part.refusal ? part.text : "",
    );
    expect(final.output_text).toBe(said?.join(""));
  });
});
