import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DONE } from "../../../packages/core/src/codec/codec-base.ts";
import { run } from "../../../packages/core/src/codec/machine.ts";
import { chatExtensions } from "../../../packages/core/src/family/extensions.ts";
import { fold, type Reply, type TextRequest, unfold } from "../../../packages/core/src/ir/index.ts";
import { collectLosses, ignoreLosses } from "../../../packages/core/src/ir/loss.ts";
import type { Json, JsonObject } from "../../../packages/core/src/json/json.ts";
import { translateRequest } from "../../../packages/core/src/plan/translate-request.ts";
import { chatstyle } from "../../../packages/core/src/protocols/chatstyle/index.ts";
import { type NativeChunk, native } from "../../../packages/core/src/protocols/native/index.ts";

const head = { id: "h1", model: "asked", created: 5 };
const folder = new URL("../../../packages/testing/fixtures/native/", import.meta.url);
const names = (kind: string) => readdirSync(new URL(`${kind}/`, folder));
const text = (kind: string, name: string) => readFileSync(new URL(`${kind}/${name}`, folder), "utf8");
const chunksOf = (name: string): Json[] =>
  text("streams", name)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);

const decode = (wire: object): TextRequest => native.request.decode(native.request.schema.parse(wire));
const encode = (request: Partial<TextRequest>) => {
  const { losses, lose } = collectLosses();
  const whole = { model: "m", stream: true, messages: [], params: {}, ...request };
  return { wire: native.request.encode(whole, lose) as JsonObject, paths: losses.map((loss) => loss.path) };
};
const reply = (chunks: Json[]): Reply => fold(run(native.reply.decode(), chunks));
const write = (sent: Reply) => {
  const { losses, lose } = collectLosses();
  return {
    chunks: run(native.reply.encode(head, lose), unfold(sent)),
    paths: losses.map((loss) => loss.path),
  };
};

describe("native fixtures", () => {
  it.each(names("requests"))("%s survives its own wire whole", (name) => {
    const request = decode(JSON.parse(text("requests", name)));
    const { wire, paths } = encode(request);
    expect(decode(wire)).toEqual(request);
    expect(paths).toEqual([]);
  });

  it.each(names("streams"))("%s is the same reply after a second pass", (name) => {
    const first = reply(chunksOf(name));
    const again = reply(write(first).chunks as Json[]);
    expect(again.choices).toEqual(first.choices);
    expect(again.usage).toEqual(first.usage);
    expect(again.failure?.message).toEqual(first.failure?.message);
  });

  it.each(names("bodies"))("%s comes back from its own chunks", (name) => {
    const body = JSON.parse(text("bodies", name)) as Json;
    expect(native.reply.gather(native.reply.burst(body) as NativeChunk[])).toEqual(body);
  });
});

describe("native requests", () => {
  const message = { role: "user", content: "x" };
  it.each<[string, object, string]>([
    ["a role", { messages: [{ role: "tool", content: "x" }] }, "role"],
    ["empty content", { messages: [{ role: "user", content: "" }] }, "content"],
    ["no messages", { messages: [] }, "messages"],
    ["a temperature out of range", { messages: [message], temperature: 2.1 }, "temperature"],
    ["a limit that is no whole number", { messages: [message], maxTokens: 1.5 }, "maxTokens"],
    ["a limit below one", { messages: [message], maxTokens: 0 }, "maxTokens"],
    ["no model", { messages: [message], model: "" }, "model"],
  ])("a native request refuses %s and names it", (_, wire, member) => {
    const result = native.request.schema.safeParse({ model: "m", ...wire });
    expect(result.error?.issues.some((issue) => issue.path.includes(member))).toBe(true);
  });

  it("a native request loses unknown members", () => {
    const request = decode({ model: "m", messages: [{ ...message, colour: "red" }], shape: "round" });
    expect(JSON.stringify(request)).not.toMatch(/red|round/);
  });

  it("a native request reaches a chat upstream in its words", () => {
    const { wire, losses } = translateRequest(JSON.parse(text("requests", "tools.json")), {
      from: native,
      to: chatstyle,
    });
    expect(wire).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
      tool_choice: { type: "function", function: { name: "now" } },
      parallel_tool_calls: false,
      web_search_options: { search_context_size: "low" },
    });
    expect(losses).toEqual([]);
    const all = translateRequest(JSON.parse(text("requests", "everything.json")), {
      from: native,
      to: chatstyle,
      traits: {
        extensions: chatExtensions,
      },
    });
    expect(all.wire).toMatchObject({
      top_k: 40,
      min_p: 0.1,
      top_a: 0.2,
      repetition_penalty: 1.1,
      max_tokens: 5,
    });
    expect(all.losses.map((loss) => loss.path)).toEqual(["/structuredOutputs"]);
  });

  it.each<[object, object | undefined]>([
    [{ thinking: { type: "enabled", budgetTokens: 0 } }, { mode: "on", budget: 0 }],
    [{ thinking: { type: "disabled", budgetTokens: 500 } }, { mode: "off" }],
    [
      { thinking: { type: "adaptive" }, reasoningEffort: "low" },
      { mode: "auto", effort: "low" },
    ],
    [{ reasoningEffort: "none" }, { mode: "off" }],
    [{ includeReasoning: false }, { show: "none" }],
    [{ reasoningEffort: "odd" }, undefined],
  ])("the thinking parameter %o is read as %o", (asked, expected) => {
    expect(decode({ model: "m", messages: [message], ...asked }).reasoning).toEqual(expected);
  });

  it("a native request is written as text alone, with every loss reported", () => {
    const { wire, paths } = encode({
      stream: false,
      messages: [
        {
          role: "system",
          parts: [
            { type: "text", text: "a", cache: {} },
            { type: "text", text: "b" },
          ],
        },
        {
          role: "user",
          name: "ann",
          parts: [{ type: "media", kind: "image", source: { type: "url", url: "u" } }],
        },
      ],
      params: { candidates: 2, maxTokens: 0 },
    });
    expect(wire).toEqual({
      model: "m",
      maxTokens: 1,
      messages: [
        { role: "system", content: "a" },
        { role: "system", content: "b" },
      ],
    });
    expect(paths.sort()).toEqual([
      "/messages/0/parts/0/cache",
      "/messages/1",
      "/messages/1/name",
      "/messages/1/parts/0",
      "/params/candidates",
      "/params/maxTokens",
      "/stream",
    ]);
  });
});

describe("native replies", () => {
  it("a native reply has text, thoughts and calls, and its end once", () => {
    const { chunks, paths } = write({
      choices: [
        {
          parts: [
            { type: "reasoning", text: "secret" },
            { type: "text", text: "a" },
            { type: "call", id: "c", name: "f", arguments: "{}" },
            { type: "text", text: "b" },
          ],
          finish: { reason: "tool_calls" },
        },
        { parts: [{ type: "text", text: "other" }], finish: { reason: "stop" } },
      ],
      usage: { input: 1, output: 2, reasoning: 1 },
    });
    expect(chunks).toEqual([
      { delta: "", reasoning: "secret" },
      { delta: "a" },
      { delta: "", toolCalls: [{ id: "c", name: "f", arguments: "{}" }] },
      { delta: "b" },
      {
        delta: "",
        finishReason: "tool_calls",
        usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
      },
      DONE,
    ]);
    expect(paths).toEqual(["/choices/1/parts/0", "/choices/1/finish", "/usage/reasoning"]);
  });

  it("a native reply has nothing like an end after a failure", () => {
    const failure = { kind: "server", status: 500, message: "boom" } as const;
    const { chunks } = write({ choices: [{ parts: [], finish: { reason: "stop" } }], failure });
    expect(chunks).toEqual([{ error: "boom" }]);
  });

  it.each<[string, Json[], string | undefined]>([
    ["a clean end without a reason", [{ delta: "a" }, DONE], "stop"],
    ["a reason and late usage", chunksOf("length.jsonl"), "length"],
    ["a cut", [{ delta: "a" }], undefined],
    ["only the closing line", [DONE], undefined],
  ])("the end of %s is read", (_, chunks, reason) => {
    const read = reply(chunks);
    expect(read.choices[0]?.finish?.reason).toBe(reason);
    expect(read.failure === undefined).toBe(reason !== undefined);
  });

  it("any native reply is read without a throw", () => {
    const chunk = fc.oneof(
      fc.jsonValue(),
      fc.record(
        { delta: fc.string(), finishReason: fc.constantFrom("stop", "odd"), error: fc.constant("x") },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(fc.array(chunk), (chunks) => {
        const events = run(native.reply.decode(), chunks as Json[]);
        const failed = events.findIndex((event) => event.type === "failure");
        if (failed >= 0) expect(failed).toBe(events.length - 1);
        else expect(events.filter((event) => event.type === "finish")).toHaveLength(1);
        run(native.reply.encode(head, ignoreLosses), events);
        native.reply.gather(chunks as never);
      }),
    );
  });
});

it("failures keep their status, message and shape", () => {
  const own = { error: { message: "m", vendor: 1 } };
  expect(native.failure.encode(native.failure.decode(418, own))).toEqual({ status: 418, body: own });
  expect(native.failure.decode(403, { errors: ["no credit"] })).toMatchObject({
    kind: "permission",
    message: "no credit",
  });
  expect(native.failure.encode({ kind: "rate_limit", status: 429, message: "later" })).toMatchObject({
    status: 429,
    body: { error: { message: "later" } },
  });
});
