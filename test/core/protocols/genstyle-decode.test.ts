import { chatstyle, observe } from "@manifold-gateway/core";
import { type Json, type JsonObject, run } from "@manifold-gateway/core/codec";
import type { Event, Reply } from "@manifold-gateway/core/ir";
import { describe, expect, test } from "vitest";
import { fold } from "../../../packages/core/src/ir/fold.ts";
import { genstyle } from "../../../packages/core/src/protocols/genstyle/index.ts";
import { failure, reply } from "./genstyle-kit.ts";

const candidate = (parts: JsonObject[], more: JsonObject = {}): JsonObject => ({
  content: { role: "model", parts },
  ...more,
});
const chunk = (parts: JsonObject[], more: JsonObject = {}): JsonObject => ({
  candidates: [candidate(parts, more)],
  responseId: "r1",
});
const stop = { finishReason: "STOP" };
const events = (...chunks: Json[]): Event[] => run(reply.decode(), chunks);
const read = (...chunks: Json[]): Reply => fold(events(...chunks));

describe("genstyle replies from upstreams", () => {
  test("calls without ids get their own, apart from those of other replies", () => {
    const ids = (responseId?: string): string[] =>
      read({
        ...chunk([{ functionCall: { name: "f" } }, { functionCall: { name: "f" } }], stop),
        responseId: responseId as string,
      }).choices[0]?.parts.map((part) => (part.type === "call" ? part.id : "")) ?? [];
    expect(ids("a.b/1")).toEqual(["call_ab1_0", "call_ab1_1"]);
    expect(new Set([...ids("one"), ...ids("two")]).size).toBe(4);
    expect(ids()[0]).toMatch(/^call_\w+_0$/);
  });
  test.each([
    ["STOP", false, "stop"],
    ["STOP", true, "tool_calls"],
    ["MAX_TOKENS", true, "length"],
    ["CONTINUATION", false, "length"],
    ["PROHIBITED_CONTENT", true, "content_filter"],
    ["MALFORMED_FUNCTION_CALL", false, "malformed_tool_call"],
    ["FINISH_REASON_UNSPECIFIED", false, "other"],
    ["NEW_WORD", false, "other"],
  ])("%s is read as the finish, with a call before it: %s", (finishReason, called, reason) => {
    const before = called ? [chunk([{ functionCall: { name: "f" } }])] : [];
    expect(read(...before, chunk([{ text: "" }], { finishReason })).choices[0]?.finish).toEqual({
      reason,
      raw: finishReason,
    });
  });
  test("the last of several finishes counts, also for a watcher", () => {
    const chunks = [
      chunk([{ text: "a" }], stop),
      chunk([{ text: "b" }], stop),
      chunk([{ text: "c" }], { finishReason: "MAX_TOKENS" }),
    ];
    const ended = events(...chunks).filter(({ type }) => type === "finish");
    expect(ended).toEqual([{ type: "finish", reason: "length", raw: "MAX_TOKENS" }]);
    expect(read(...chunks).choices[0]?.parts).toEqual([{ type: "text", text: "abc" }]);
    const watch = observe(genstyle);
    for (const one of chunks) watch.chunk(JSON.stringify(one));
    expect(watch.end().finish).toEqual({ reason: "length", raw: "MAX_TOKENS" });
    expect(watch.end()).toBe(watch.end());
  });
  test("a refused prompt is an empty answer that was filtered", () => {
    expect(read({ promptFeedback: { blockReason: "OTHER", blockReasonMessage: "No." } }).choices).toEqual([
      { parts: [], finish: { reason: "content_filter", raw: "OTHER", note: "No." } },
    ]);
  });
  test.each<[string, Json[]]>([
    ["no chunk", []],
    ["no finish", [chunk([{ text: "a" }])]],
    [
      "one candidate of two",
      [chunk([{ text: "a" }], { index: 0, ...stop }), chunk([{ text: "b" }], { index: 1 })],
    ],
    ["a finish that is empty", [chunk([{ text: "a" }], { finishReason: "" })]],
  ])("a stream with %s is a cut stream", (_, chunks) => {
    expect(read(...chunks).failure?.kind).toBe("unavailable");
  });
  test("the list of the endpoint that streams without events is read as chunks", () => {
    expect(read([chunk([{ text: "a" }]), chunk([{ text: "b" }], stop)]).choices[0]?.parts).toEqual([
      { type: "text", text: "ab" },
    ]);
  });
  test("an absurd number of a candidate is ignored", () => {
    expect(read(chunk([{ text: "a" }], { index: 1e9, ...stop })).choices).toEqual([]);
  });
  test.each<[JsonObject, JsonObject]>([
    [
      {
        promptTokenCount: 10,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 7,
        toolUsePromptTokenCount: 3,
        cachedContentTokenCount: 4,
      },
      { input: 13, output: 12, reasoning: 7, cacheRead: 4 },
    ],
    [{ promptTokenCount: 10 }, { input: 10, output: 0 }],
    [
      {
        promptTokenCount: 9,
        candidatesTokenCount: 8,
        promptTokensDetails: [
          { modality: "AUDIO", tokenCount: 4 },
          { modality: "IMAGE", tokenCount: 2 },
        ],
        candidatesTokensDetails: [{ modality: "AUDIO", tokenCount: 6 }],
      },
      { input: 9, output: 8, audioInput: 4, imageInput: 2, audioOutput: 6 },
    ],
  ])("usage is read from %j", (usageMetadata, usage) => {
    expect(read({ usageMetadata }).usage).toEqual(usage);
  });
  test("counts come field by field, and are passed on when they change", () => {
    const told = events(
      { usageMetadata: { trafficType: "x" } },
      { usageMetadata: { promptTokenCount: 4 } },
      { usageMetadata: { candidatesTokenCount: 2 } },
      { usageMetadata: { candidatesTokenCount: 2 } },
    );
    expect(told.filter(({ type }) => type === "usage")).toEqual([
      { type: "usage", usage: { input: 4, output: 0 } },
      { type: "usage", usage: { input: 4, output: 2 } },
    ]);
  });
  test("offsets of evidence are bytes on the wire and characters in the IR", () => {
    const text = "Zürich 🏔 ist schön.";
    const bytes = (part: string): number => new TextEncoder().encode(part).length;
    const segment = { startIndex: bytes("Zürich "), endIndex: bytes("Zürich 🏔 ist"), text: "🏔 ist" };
    const groundingMetadata = {
      groundingChunks: [{ web: { uri: "https://a", title: "A" } }],
      groundingSupports: [{ segment, groundingChunkIndices: [0, 5] }],
    };
    const parts = read(
      chunk([{ text: "Zürich " }]),
      chunk([{ text: "🏔 ist schön." }], { ...stop, groundingMetadata }),
      chunk([{ text: "" }], { groundingMetadata }),
    ).choices[0]?.parts;
    const start = text.indexOf("🏔");
    expect(parts).toEqual([
      {
        type: "text",
        text,
        citations: [{ url: "https://a", title: "A", start, end: start + "🏔 ist".length }],
      },
    ]);
  });
  test("streamed arguments are put together under their paths, whatever these are", () => {
    const piece = (partialArgs: Json[], more: JsonObject = { willContinue: true }) =>
      chunk([{ functionCall: { partialArgs, ...more } }]);
    const parts = read(
      chunk([{ functionCall: { name: "f", willContinue: true } }]),
      piece([
        { jsonPath: "$.a.b[1]", numberValue: 2 },
        { jsonPath: "$.s", stringValue: "x", willContinue: true },
      ]),
      piece([
        { jsonPath: "$.s", stringValue: "y" },
        { jsonPath: "$['o d'].n", nullValue: "NULL_VALUE" },
      ]),
      piece([
        { jsonPath: "$.__proto__.polluted", boolValue: true },
        { jsonPath: "$.a.b[999999999]", boolValue: true },
        { jsonPath: 7 },
      ]),
      chunk([{ functionCall: {} }]),
      chunk([], stop),
    ).choices[0]?.parts;
    expect(parts).toMatchObject([
      {
        name: "f",
        arguments: '{"a":{"b":[null,2]},"s":"xy","o d":{"n":null},"__proto__":{"polluted":true}}',
      },
    ]);
    expect(({} as JsonObject).polluted).toBeUndefined();
  });
  test("the signature of streamed arguments may come with any of their pieces", () => {
    const sealed = [
      chunk([{ functionCall: { name: "f", willContinue: true } }]),
      chunk([{ functionCall: { partialArgs: [{ jsonPath: "$.a", numberValue: 1 }], willContinue: true } }]),
      chunk([{ functionCall: {}, thoughtSignature: "c2ln" }]),
      chunk([], stop),
    ];
    expect(read(...sealed).choices[0]?.parts).toMatchObject([
      { type: "call", name: "f", arguments: '{"a":1}', seal: { protocol: "genstyle", value: "c2ln" } },
    ]);
    // Wires that carry it in the id have to be told before the id is out.
    const paths: string[] = [];
    run(
      chatstyle.reply.encode({ id: "x", model: "m", created: 1 }, (path) => paths.push(path)),
      events(...sealed),
    );
    expect(paths).toEqual([]);
  });
});

describe("genstyle errors", () => {
  const error = {
    code: 429,
    message: "Slow down.",
    status: "RESOURCE_EXHAUSTED",
    details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1.5s" }],
  };
  test.each<[number, Json, JsonObject]>([
    [
      429,
      { error },
      { kind: "rate_limit", message: "Slow down.", code: "RESOURCE_EXHAUSTED", retryAfter: 1.5 },
    ],
    [429, [{ error }], { kind: "rate_limit", message: "Slow down.", retryAfter: 1.5 }],
    [
      400,
      {
        error: {
          code: 400,
          message: "Bad key.",
          status: "INVALID_ARGUMENT",
          details: [{ reason: "API_KEY_INVALID" }],
        },
      },
      { kind: "authentication", status: 400 },
    ],
    [500, { error: "text" }, { kind: "server", message: "text" }],
    [502, "<html>", { kind: "unavailable", message: "<html>" }],
    [404, null, { kind: "not_found", message: "The provider returned status 404 and no message." }],
  ])("an error is read: %i %j", (status, body, expected) => {
    expect(failure.decode(status, body)).toMatchObject(expected);
  });
  test.each<[JsonObject, JsonObject]>([
    [
      { code: 503, message: "Busy." },
      { kind: "unavailable", status: 503 },
    ],
    [
      { status: "RESOURCE_EXHAUSTED", message: "Busy." },
      { kind: "rate_limit", status: 429 },
    ],
    [{ message: "Busy." }, { kind: "server", status: 500 }],
  ])("an error in a stream is read: %j", (inside, expected) => {
    expect(read(chunk([{ text: "a" }], stop), { error: inside }).failure).toMatchObject({
      message: "Busy.",
      ...expected,
    });
  });
});
