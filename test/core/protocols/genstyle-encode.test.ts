import { type GenerateContentResponse, GoogleGenAI } from "@google/genai";
import { writeFrame } from "@manifold-gateway/core";
import { type Json, type JsonObject, run } from "@manifold-gateway/core/codec";
import type { Event, Reply } from "@manifold-gateway/core/ir";
import { afterEach, describe, expect, test, vi } from "vitest";
import { unfold } from "../../../packages/core/src/ir/fold.ts";
import { collectLosses, ignoreLosses } from "../../../packages/core/src/ir/loss.ts";
import { toArray } from "../../../packages/core/src/json/json.ts";
import {
  type GenBody,
  type GenChunk,
  genstyle,
} from "../../../packages/core/src/protocols/genstyle/index.ts";
import { decode as decodeRequest, reply } from "./genstyle-kit.ts";

/** Enumerations of the SDK are closed lists of words; ours are the words. */
type Words<T> = T extends string ? `${T}` : T extends object ? { [K in keyof T]: Words<T[K]> } : T;
type Members = "candidates" | "usageMetadata" | "modelVersion" | "responseId";
type Spoken = Words<Pick<GenerateContentResponse, Members>>;
/** What the encoder writes is what the official client declares. */
const asSdk = (chunk: Exclude<GenChunk, { error: object }>): Spoken => chunk;

const head = { id: "x1", model: "m-1", created: 1 };
const write = (what: Event[]): GenChunk[] => run(reply.encode(head, ignoreLosses), what);
const say = (what: Reply): GenChunk[] => write(unfold(what));
const bodyOf = (what: Reply): JsonObject => reply.gather(say(what)) as unknown as JsonObject;

describe("genstyle replies to clients", () => {
  test("calls are whole and in order, however they came", () => {
    const open = (index: number, name: string): Event => ({
      type: "open",
      index,
      part: { type: "call", id: `c${index}`, name },
    });
    const delta = (index: number, text: string): Event => ({ type: "delta", index, text });
    const chunks = write([
      { type: "open", index: 0, part: { type: "text" } },
      delta(0, "Hi"),
      { type: "close", index: 0 },
      open(1, "f"),
      open(2, "g"),
      delta(2, "{}"),
      delta(1, '{"a":'),
      { type: "close", index: 2 },
      delta(1, "1}"),
      { type: "close", index: 1 },
      { type: "usage", usage: { input: 1, output: 2 } },
      { type: "finish", reason: "tool_calls" },
    ]);
    expect(
      chunks.map((one) => ("candidates" in one ? one.candidates?.[0]?.content.parts : undefined)),
    ).toEqual([
      [{ text: "Hi" }],
      [{ functionCall: { id: "c1", name: "f", args: { a: 1 } } }],
      [{ functionCall: { id: "c2", name: "g", args: {} } }],
      [{ text: "" }],
    ]);
    expect(chunks.map((one) => "usageMetadata" in one)).toEqual([false, false, false, true]);
    for (const one of chunks) if (!("error" in one)) expect(asSdk(one).responseId).toBe("x1");
  });
  test.each([
    ["stop", undefined, "STOP", 0],
    ["tool_calls", undefined, "STOP", 1],
    ["stop_sequence", "stop_sequence", "STOP", 1],
    ["refusal", "refusal", "SAFETY", 1],
    ["content_filter", "SPII", "SPII", 0],
    ["length", "length", "MAX_TOKENS", 0],
    ["other", undefined, "OTHER", 0],
  ] as const)("the end %s (%s) is written", (reason, raw, word, lost) => {
    const { losses, lose } = collectLosses();
    const chunks = run(reply.encode(head, lose), [
      { type: "finish", reason, ...(raw && { raw }) },
    ] as Event[]);
    expect(chunks).toMatchObject([{ candidates: [{ finishReason: word }] }]);
    expect(losses).toHaveLength(lost);
  });
  test.each<[JsonObject, JsonObject]>([
    [
      { input: 10, output: 8 },
      { promptTokenCount: 10, candidatesTokenCount: 8, totalTokenCount: 18 },
    ],
    [
      { input: 10, output: 8, reasoning: 5, cacheRead: 3 },
      {
        promptTokenCount: 10,
        candidatesTokenCount: 3,
        thoughtsTokenCount: 5,
        cachedContentTokenCount: 3,
        totalTokenCount: 18,
      },
    ],
  ])("usage is written from %j", (usage, usageMetadata) => {
    expect(
      bodyOf({ choices: [{ parts: [], finish: { reason: "stop" } }], usage: usage as never }).usageMetadata,
    ).toEqual(usageMetadata);
  });
  test("nothing after a failure looks like an end", () => {
    const failed = { kind: "overloaded" as const, status: 529, message: "Busy.", retryAfter: 3 };
    const chunks = write([
      { type: "start" },
      { type: "open", index: 0, part: { type: "text" } },
      { type: "delta", index: 0, text: "a" },
      { type: "failure", failure: failed },
      { type: "finish", reason: "stop" },
    ]);
    expect(chunks).toHaveLength(2);
    expect(chunks[1]).toMatchObject({
      error: { code: 529, message: "Busy.", status: "UNAVAILABLE", details: [{ retryDelay: "3s" }] },
    });
    expect(genstyle.frame.last(chunks[1] as unknown as Json)).toBe(true);
  });
  test("alternatives are candidates", () => {
    const choices = ["a", "b"].map((text) => ({
      parts: [{ type: "text" as const, text }],
      finish: { reason: "stop" as const },
    }));
    expect(bodyOf({ choices }).candidates).toEqual(
      choices.map(({ parts }, index) => ({
        content: { role: "model", parts: [{ text: parts[0]?.text }] },
        index,
        finishReason: "STOP",
      })),
    );
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the official client", () => {
  const seal = { protocol: "msgstyle" as const, value: "sealed-by-another" };
  const thought: Reply = {
    choices: [
      {
        parts: [
          { type: "reasoning", text: "Let me think.", seal },
          { type: "reasoning", text: "", redacted: true, seal },
          { type: "text", text: "I look." },
          { type: "call", id: "c1", name: "f", arguments: '{"a":1}', seal },
        ],
        finish: { reason: "tool_calls" },
      },
    ],
    usage: { input: 3, output: 4 },
  };
  /** Text comes in pieces, as from any upstream. */
  const pieces = (what: Event[]): Event[] =>
    what.flatMap((event) =>
      event.type === "delta" && !event.text.startsWith("{")
        ? [...event.text].map((text) => ({ ...event, text }))
        : [event],
    );

  test("the official client keeps a streamed chat whole, and returns what was sealed", async () => {
    const sent: JsonObject[] = [];
    const frames = write(pieces(unfold(thought))).map((one) => writeFrame(JSON.stringify(one)));
    vi.stubGlobal("fetch", async (_: unknown, init: { body: string }) => {
      sent.push(JSON.parse(init.body) as JsonObject);
      return new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
    });
    const chat = new GoogleGenAI({ apiKey: "k" }).chats.create({ model: "m" });
    const first = await Array.fromAsync(await chat.sendMessageStream({ message: "Go." }));
    expect(first.at(-1)?.usageMetadata?.totalTokenCount).toBe(7);
    expect(first.flatMap(({ functionCalls }) => functionCalls ?? [])).toEqual([
      { id: "c1", name: "f", args: { a: 1 } },
    ]);
    const response = { functionResponse: { id: "c1", name: "f", response: { output: "ok" } } };
    await Array.fromAsync(await chat.sendMessageStream({ message: [response] }));
    const { messages } = decodeRequest(sent[1] as JsonObject);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(messages[1]?.parts).toEqual(thought.choices[0]?.parts);
    expect(toArray(sent[1]?.contents).length).toBeGreaterThan(3);
  });

  test("the official client reads a body, and raises an error inside a stream", async () => {
    const client = new GoogleGenAI({ apiKey: "k" });
    const body = reply.gather(say(thought)) satisfies GenBody;
    vi.stubGlobal("fetch", async () => Response.json(body));
    const whole = await client.models.generateContent({ model: "m", contents: "Go." });
    expect(whole.text).toBe("I look.");
    expect(whole.functionCalls).toHaveLength(1);
    const frames = write([
      { type: "failure", failure: { kind: "rate_limit", status: 429, message: "Slow." } },
    ]);
    vi.stubGlobal(
      "fetch",
      async () => new Response(frames.map((one) => writeFrame(JSON.stringify(one))).join("")),
    );
    const stream = await client.models.generateContentStream({ model: "m", contents: "Go." });
    await expect(Array.fromAsync(stream)).rejects.toMatchObject({ status: 429 });
  });
});

test("candidates of a stream that come out of order are in order in the body", () => {
  const candidate = (index: number, text: string) => ({
    index,
    content: { role: "model", parts: [{ text }] },
  });
  const chunks = [candidate(1, "b"), candidate(0, "a"), candidate(1, "d"), candidate(0, "c")];
  const body = reply.gather(chunks.map((one) => ({ candidates: [one] })) as never);
  expect(body).toEqual({ candidates: [candidate(0, "ac"), candidate(1, "bd")] });
});
