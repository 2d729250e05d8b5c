import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import type OpenAI from "openai";
import { ChatCompletionStream } from "openai/lib/ChatCompletionStream";
import { describe, expect, it } from "vitest";
import { DONE, type Traits } from "../../packages/core/src/codec.ts";
import {
  type Event,
  fold,
  type Message,
  type Reply,
  type TextRequest,
  unfold,
} from "../../packages/core/src/ir/index.ts";
import type { Json, JsonObject } from "../../packages/core/src/json.ts";
import { collectLosses, ignoreLosses } from "../../packages/core/src/loss.ts";
import { run } from "../../packages/core/src/machine.ts";
import {
  type ChatBody,
  type ChatChunk,
  type ChatWire,
  chatstyle,
} from "../../packages/core/src/protocols/chatstyle/index.ts";
import { encodeRequest } from "../../packages/core/src/translate.ts";

const head = { id: "h1", model: "asked", created: 5 };
const folder = new URL("../fixtures/chatstyle/", import.meta.url);
const names = (kind: string) => readdirSync(new URL(`${kind}/`, folder));
const text = (kind: string, name: string) => readFileSync(new URL(`${kind}/${name}`, folder), "utf8");
const chunksOf = (name: string): Json[] =>
  text("streams", name)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);

/** A server that takes all that the wire has ever been given. */
const lenient: Traits = {
  reasoningBack: true,
  resultMedia: true,
  extensions: ["top_k", "min_p", "top_a", "repetition_penalty", "cache_control", "images"],
};

const decode = (wire: object): TextRequest => chatstyle.request.decode(chatstyle.request.schema.parse(wire));
const encode = (request: Partial<TextRequest>, traits: Traits = {}) => {
  const { losses, lose } = collectLosses();
  const whole = { model: "m", stream: false, messages: [], params: {}, ...request };
  return { wire: chatstyle.request.encode(whole, lose, traits) as JsonObject, losses };
};
const messagesOf = (messages: Message[], traits: Traits = {}) => encode({ messages }, traits);
const reply = (chunks: Json[]): Reply => fold(run(chatstyle.reply.decode(), chunks));
const write = (events: Event[]): ChatChunk[] => run(chatstyle.reply.encode(head, ignoreLosses), events);
const delta = (fields: JsonObject, finish: string | null = null, index = 0): Json => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "up",
  choices: [{ index, delta: fields, finish_reason: finish }],
});
const parts = (chunks: Json[]) => reply(chunks).choices[0]?.parts;

describe("own fixtures", () => {
  const foreign = new Set(["sealed-loop.json", "sealed-call.json"]);
  it.each(names("requests").filter((name) => !foreign.has(name)))(
    "%s survives its own wire whole",
    (name) => {
      const request = decode(JSON.parse(text("requests", name)));
      const { wire, losses } = encode(request, lenient);
      expect(decode(JSON.parse(JSON.stringify(wire)))).toEqual(request);
      expect(losses).toEqual([]);
    },
  );

  it.each(names("streams"))("%s is the same reply after a second pass", (name) => {
    const first = reply(chunksOf(name));
    const again = reply(JSON.parse(JSON.stringify(write(unfold(first)))) as Json[]);
    expect(again.choices).toEqual(first.choices);
    expect(again.usage).toEqual(first.usage);
    expect(again.failure?.message).toEqual(first.failure?.message);
  });

  it.each(names("bodies"))("%s comes back from its own chunks, and from those that we write", (name) => {
    const body = JSON.parse(text("bodies", name)) as Json;
    expect(chatstyle.reply.gather(chatstyle.reply.burst(body) as ChatChunk[])).toEqual(body);
    const first = reply(chatstyle.reply.burst(body));
    const written = chatstyle.reply.gather(write(unfold(first)));
    expect(reply(chatstyle.reply.burst(written as unknown as Json)).choices).toEqual(first.choices);
  });
});

describe("the official client", () => {
  const whole = names("streams").filter((name) => !reply(chunksOf(name)).failure);
  it.each(whole)("accumulates our stream of %s to our body", async (name) => {
    const chunks = write(unfold(reply(chunksOf(name))));
    const lines = chunks.filter((chunk) => chunk !== DONE).map((chunk) => `${JSON.stringify(chunk)}\n`);
    const stream = ChatCompletionStream.fromReadableStream(
      new ReadableStream({
        start(controller) {
          for (const line of lines) controller.enqueue(new TextEncoder().encode(line));
          controller.close();
        },
      }),
    );
    const completion = await stream.finalChatCompletion();
    const body = chatstyle.reply.gather(chunks);
    expect(completion.choices.map((choice) => choice.finish_reason)).toEqual(
      body.choices.map((c) => c.finish_reason),
    );
    body.choices.forEach(({ message, logprobs }, i) => {
      const theirs = completion.choices[i];
      expect(theirs?.message.content).toEqual(message.content);
      expect(theirs?.message.tool_calls).toEqual(message.tool_calls);
      expect(theirs?.message.refusal ?? null).toEqual(message.refusal);
      expect(theirs?.logprobs ?? null).toEqual(logprobs);
    });
    expect(completion.usage).toEqual(body.usage);
  });

  it("has types that our chunks and bodies fit", () => {
    const chunk = (
      written: Exclude<ChatChunk, string | { error: string }>,
    ): OpenAI.Chat.ChatCompletionChunk => written;
    const body = (written: ChatBody): OpenAI.Chat.ChatCompletion => written;
    const chunks = write(
      unfold({ choices: [{ parts: [{ type: "text", text: "a" }], finish: { reason: "stop" } }] }),
    );
    expect(chunk(chunks[0] as never).object).toBe("chat.completion.chunk");
    expect(body(chatstyle.reply.gather(chunks)).choices[0]?.message.content).toBe("a");
  });
});

describe("requests from clients", () => {
  it.each<[string, object, string]>([
    ["a role", { messages: [{ role: "robot", content: "x" }] }, "role"],
    ["a temperature", { messages: [{ role: "user", content: "x" }], temperature: "hot" }, "temperature"],
    ["a result without its call", { messages: [{ role: "tool", content: "x" }] }, "tool_call_id"],
    ["an image without one", { messages: [{ role: "user", content: [{ type: "image_url" }] }] }, "image_url"],
    [
      "a tool without a definition",
      { messages: [{ role: "user", content: "x" }], tools: [{ type: "function" }] },
      "function",
    ],
    ["no messages", { messages: [] }, "messages"],
  ])("refuses %s that is wrong and names it", (_, wire, member) => {
    const result = chatstyle.request.schema.safeParse({ model: "m", ...wire });
    expect(result.success).toBe(false);
    expect(JSON.stringify(result.error?.issues)).toContain(member);
  });

  it("collects the answers of one step in one message, in order", () => {
    const { messages } = decode(JSON.parse(text("requests", "tools.json")));
    expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "user", "user"]);
    expect(messages[2]?.parts.map((part) => part.type === "result" && part.id)).toEqual([
      "call_b2",
      "call_a1",
      "call_c3",
    ]);
  });

  it("gives the answers of the older form to their own calls", () => {
    const { messages, toolChoice } = decode(JSON.parse(text("requests", "legacy.json")));
    const ids = messages.flatMap((message) =>
      message.parts.flatMap((part) => (part.type === "call" || part.type === "result" ? [part.id] : [])),
    );
    expect(ids).toHaveLength(4);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).toBe(ids[3]);
    expect(ids[0]).not.toBe(ids[2]);
    expect(toolChoice).toEqual({ mode: "auto" });
  });

  it.each<[string, Json, string]>([
    ["nothing", "", "{}"],
    ["white space", " \n", "{}"],
    ["null", null, "{}"],
    ["an object", { a: 1 }, '{"a":1}'],
    ["text", '{"n": 9007199254740993, "x":1.0}', '{"n": 9007199254740993, "x":1.0}'],
    ["half an object", '{"a', '{"a'],
  ])("reads arguments that are %s", (_, written, expected) => {
    const call = { id: "c", type: "function", function: { name: "f", arguments: written } };
    const [message] = decode({ model: "m", messages: [{ role: "assistant", tool_calls: [call] }] }).messages;
    expect(message?.parts[0]).toMatchObject({ type: "call", arguments: expected });
  });

  it.each<[string, object, object]>([
    [
      "bare base64",
      { filename: "a.txt", file_data: "aGk=" },
      { type: "base64", mediaType: "text/plain", data: "aGk=" },
    ],
    [
      "bare base64 without a name",
      { file_data: "AAAA" },
      { type: "base64", mediaType: "application/pdf", data: "AAAA" },
    ],
    [
      "a data URL that is not base64",
      { file_data: "data:text/plain,a%20b" },
      { type: "base64", mediaType: "text/plain", data: "YSBi" },
    ],
    ["an upload", { file_id: "file-1" }, { type: "file", protocol: "chatstyle", id: "file-1" }],
  ])("reads a file that is %s", (_, file, source) => {
    const [message] = decode({
      model: "m",
      messages: [{ role: "user", content: [{ type: "file", file }] }],
    }).messages;
    expect(message?.parts[0]).toMatchObject({ type: "media", source });
  });

  it("takes the newer limit before the older one, and null for nothing", () => {
    const wire = {
      model: "m",
      messages: [{ role: "user", content: "x" }],
      max_tokens: 9,
      max_completion_tokens: 7,
      seed: null,
    };
    expect(decode(wire).params).toEqual({ maxTokens: 7 });
  });

  it("keeps falsy values", () => {
    const wire = {
      model: "m",
      messages: [{ role: "user", content: "x" }],
      temperature: 0,
      seed: 0,
      store: false,
    };
    expect(decode(wire).params).toEqual({ temperature: 0, seed: 0, store: false });
  });

  it("reads reasoning in every spelling once", () => {
    const seal = (value: string) => ({ protocol: "chatstyle", value });
    const read = (message: object) =>
      decode({
        model: "m",
        messages: [{ role: "assistant", content: "a", ...message }],
      }).messages[0]?.parts.filter((part) => part.type === "reasoning");
    const said = [{ type: "reasoning", text: "hm" }];
    expect(read({ reasoning_content: "hm" })).toEqual(said);
    expect(read({ reasoning: "hm" })).toEqual(said);
    expect(read({ reasoning: "hm", reasoning_details: [{ type: "reasoning.text", text: "hm" }] })).toEqual(
      said,
    );
    expect(read({ thinking_blocks: [{ type: "thinking", thinking: "hm", signature: "S" }] })).toEqual([
      { type: "reasoning", text: "hm", seal: seal("S") },
    ]);
    expect(
      read({ reasoning_content: "hm", reasoning_details: [{ type: "reasoning.text", signature: "S" }] }),
    ).toEqual([{ type: "reasoning", text: "hm", seal: seal("S") }]);
    expect(
      read({
        reasoning_content: "hm ah",
        reasoning_details: [{ type: "reasoning.text", text: " ah", signature: "S" }],
      }),
    ).toEqual([...said, { type: "reasoning", text: " ah", seal: seal("S") }]);
    expect(read({ thinking_blocks: [{ type: "redacted_thinking", data: "D" }] })).toEqual([
      { type: "reasoning", text: "", redacted: true, seal: seal("D") },
    ]);
  });

  it("reads a signature beside a call as its issuer's", () => {
    const { messages } = decode(JSON.parse(text("requests", "reasoning-history.json")));
    expect(messages[1]?.parts.at(-1)).toMatchObject({
      seal: { protocol: "genstyle", value: "CpQCAVSoXO4=" },
    });
    expect(messages[1]?.parts.at(-1)).not.toHaveProperty("extra");
  });
});

describe("requests to upstreams", () => {
  const user: Message = { role: "user", parts: [{ type: "text", text: "x" }] };
  const call = { type: "call", id: "c1", name: "f", arguments: "" } as const;

  it("asks for usage whenever it streams, and never otherwise", () => {
    expect(encode({ stream: true }).wire).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(encode({ stream: false }).wire).not.toHaveProperty("stream_options");
  });

  it.each<[Traits, string]>([
    [{}, "max_completion_tokens"],
    [{ maxTokensField: "max_tokens" }, "max_tokens"],
  ])("spells the limit as %o says", (traits, field) => {
    const { wire } = encode({ params: { maxTokens: 5 } }, traits);
    expect(Object.keys(wire).filter((key) => key.startsWith("max_"))).toEqual([field]);
    expect(wire[field]).toBe(5);
  });

  it("moves media behind the last answer and keeps the answers together", () => {
    const image = {
      type: "media",
      kind: "image",
      source: { type: "url", url: "https://e.x/i.png" },
    } as const;
    const { wire, losses } = messagesOf([
      { role: "assistant", parts: [call, { ...call, id: "c2" }] },
      {
        role: "user",
        parts: [
          { type: "result", id: "c1", parts: [image] },
          { type: "result", id: "c2", parts: [{ type: "text", text: "two" }] },
          { type: "text", text: "look" },
        ],
      },
    ]);
    const written = wire.messages as JsonObject[];
    expect(written.map((message) => message.role)).toEqual(["assistant", "tool", "tool", "user"]);
    expect(written[1]?.content).not.toBe("");
    expect(written[3]?.content).toEqual([
      { type: "image_url", image_url: { url: "https://e.x/i.png" } },
      { type: "text", text: "look" },
    ]);
    expect(losses.map((loss) => loss.path)).toEqual(["/messages/1/parts/0/parts/0"]);
  });

  it("answers a call without parameters and without a result's text", () => {
    const { wire } = messagesOf([
      { role: "assistant", parts: [call] },
      { role: "user", parts: [{ type: "result", id: "c1", parts: [] }] },
    ]);
    expect(wire.messages).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c1", content: "" },
    ]);
  });

  it("tells a failure in the text", () => {
    const { wire, losses } = messagesOf([
      {
        role: "user",
        parts: [{ type: "result", id: "c1", failed: true, parts: [{ type: "text", text: "boom" }] }],
      },
    ]);
    expect((wire.messages as JsonObject[])[0]?.content).toBe("Error: boom");
    expect(losses).toMatchObject([{ path: "/messages/0/parts/0", why: "approximated" }]);
  });

  it("never hands on a foreign seal, and reasoning only where it is wanted", () => {
    const seal = { protocol: "msgstyle", value: "SECRET" } as const;
    const messages: Message[] = [
      {
        role: "assistant",
        parts: [
          { type: "reasoning", text: "hm", seal },
          { type: "reasoning", text: "", redacted: true, seal },
          { type: "text", text: "a" },
          { ...call, seal: { protocol: "genstyle", value: "SECRET" } },
        ],
      },
    ];
    const strict = messagesOf(messages);
    expect(JSON.stringify(strict.wire)).not.toMatch(/SECRET|hm|mfseal/);
    expect(strict.losses.map((loss) => loss.path)).toEqual([
      "/messages/0/parts/0",
      "/messages/0/parts/1",
      "/messages/0/parts/3/seal",
    ]);
    const back = messagesOf(messages, { reasoningBack: true });
    const [message] = back.wire.messages as JsonObject[];
    expect(message).toMatchObject({ content: "a", reasoning_content: "hm" });
    expect(message).not.toHaveProperty("reasoning_details");
  });

  it("gives its own seals back with all that their issuer said", () => {
    const details = [
      { type: "reasoning.text", text: "hm", signature: "S", format: "f-v1", id: "r1", index: 0 },
    ];
    const request = decode({
      model: "m",
      messages: [{ role: "assistant", content: "a", reasoning_details: details }],
    });
    const [message] = encode(request, { reasoningBack: true }).wire.messages as JsonObject[];
    expect(message?.reasoning_details).toEqual(details);
  });

  it("writes nothing that the standard does not know, and says so", () => {
    const mark = { cache: {} };
    const { wire, losses } = encode({
      messages: [{ role: "user", parts: [{ type: "text", text: "x", ...mark }] }],
      tools: [
        { type: "function", name: "f", ...mark },
        { type: "opaque", protocol: "msgstyle", value: { type: "bash_20250124" } },
      ],
      params: { topK: 4, minP: 0.1, serviceTier: "standard_only" },
      reasoning: { mode: "on", budget: 5000, show: "auto" },
      extra: { protocol: "msgstyle", fields: { container: "c" } },
    });
    expect(wire).toEqual({
      model: "m",
      messages: [{ role: "user", content: "x" }],
      tools: [{ type: "function", function: { name: "f" } }],
      reasoning_effort: "medium",
      service_tier: "default",
    });
    expect(losses.map((loss) => loss.path).sort()).toEqual([
      "/extra/container",
      "/messages/0/parts/0/cache",
      "/params/minP",
      "/params/serviceTier",
      "/params/topK",
      "/reasoning",
      "/reasoning/show",
      "/tools/0/cache",
      "/tools/1",
    ]);
  });

  it("leaves out choices where there are no tools, and messages of which nothing is left", () => {
    const { wire, losses } = encode({
      messages: [user, { role: "assistant", parts: [{ type: "reasoning", text: "hm" }] }],
      tools: [],
      toolChoice: { mode: "auto", parallel: false },
    });
    expect(Object.keys(wire).sort()).toEqual(["messages", "model"]);
    expect(wire.messages).toHaveLength(1);
    expect(losses.map((loss) => loss.path)).toEqual(["/messages/1/parts/0", "/messages/1", "/toolChoice"]);
  });

  it("bounds what the wire bounds", () => {
    const stop = ["a", "b", "c", "d", "e"];
    const { wire, losses } = encode({
      params: { temperature: 3, stop, user: "u".repeat(70), topLogprobs: 30 },
    });
    expect(wire).toMatchObject({
      temperature: 2,
      stop: ["a", "b", "c", "d"],
      top_logprobs: 20,
      user: "u".repeat(64),
    });
    expect(losses).toHaveLength(4);
  });

  it("turns free-text tools into functions where the model has none", () => {
    const request = decode(JSON.parse(text("requests", "freeform.json")));
    const { wire } = encodeRequest(request, chatstyle, { freeform: false });
    expect(JSON.stringify(wire)).not.toContain('"custom"');
    expect(encodeRequest(request, chatstyle).wire.tools).toMatchObject([{ type: "custom" }]);
  });
});

describe("replies from upstreams", () => {
  const fragment = (fields: JsonObject) => delta({ tool_calls: [fields] });
  const fn = (name?: string, args?: string | null) => ({
    function: {
      ...(name !== undefined && { name }),
      ...(args !== undefined && { arguments: args }),
    } as JsonObject,
  });
  const calls = (...list: [name: string, args: string][]) =>
    list.map(([name, args]) => expect.objectContaining({ type: "call", name, arguments: args }));

  it.each<[string, Json[], [string, string][]]>([
    ["begin at 1", [fragment({ index: 1, id: "a", ...fn("f", "{}") })], [["f", "{}"]]],
    [
      "have no index",
      [fragment({ id: "a", ...fn("f", '{"x"') }), fragment(fn(undefined, ":1}"))],
      [["f", '{"x":1}']],
    ],
    [
      "have no index and two ids",
      [fragment({ id: "a", ...fn("f", "{}") }), fragment({ id: "b", ...fn("g", "{}") })],
      [
        ["f", "{}"],
        ["g", "{}"],
      ],
    ],
    [
      "use one index for two ids",
      [
        fragment({ index: 0, id: "a", ...fn("f", '{"x":1}') }),
        fragment({ index: 0, id: "b", ...fn("g", "{}") }),
      ],
      [
        ["f", '{"x":1}'],
        ["g", "{}"],
      ],
    ],
    [
      "repeat id and name",
      [fragment({ index: 0, id: "a", ...fn("f", "{") }), fragment({ index: 0, id: "a", ...fn("f", "}") })],
      [["f", "{}"]],
    ],
    [
      "empty id and name later",
      [fragment({ index: 0, id: "a", ...fn("f", "{") }), fragment({ index: 0, id: "", ...fn("", "}") })],
      [["f", "{}"]],
    ],
    ["bring null", [fragment({ index: 0, id: "a", ...fn("f", null) })], [["f", "{}"]]],
    [
      "bring the name late",
      [fragment({ index: 0, id: "a", ...fn() }), fragment({ index: 0, ...fn("f", '{"a":1}') })],
      [["f", '{"a":1}']],
    ],
    [
      "come whole with an object",
      [fragment({ id: "a", function: { name: "f", arguments: { a: 1 } } })],
      [["f", '{"a":1}']],
    ],
    [
      "come together without ids",
      [delta({ tool_calls: [fn("f", '{"a":1}'), fn("f", '{"a":2}')] })],
      [
        ["f", '{"a":1}'],
        ["f", '{"a":2}'],
      ],
    ],
  ])("reads calls that %s", (_, chunks, expected) => {
    const read = reply([...chunks, delta({}, "stop")]);
    expect(read.choices[0]?.parts).toEqual(calls(...expected));
    expect(read.choices[0]?.finish).toEqual({ reason: "tool_calls", raw: "stop" });
    const ids = read.choices[0]?.parts.map((part) => part.type === "call" && part.id);
    expect(new Set(ids).size).toBe(expected.length);
    expect(ids).not.toContain("");
  });

  it("opens and closes every call once, also one that never gets a name", () => {
    const chunks = [
      fragment({ index: 0, id: "a", ...fn("f", "{}") }),
      fragment({ index: 1, ...fn(undefined, '{"x":1}') }),
      fragment({ index: 2, id: "c", ...fn("g", "{}") }),
      delta({}, "tool_calls"),
    ];
    const events = run(chatstyle.reply.decode(), chunks);
    const indexes = (type: "open" | "close") =>
      events.flatMap((event) => (event.type === type ? [event.index] : [])).sort();
    expect(indexes("open")).toEqual([0, 1, 2]);
    expect(indexes("close")).toEqual([0, 1, 2]);
  });

  it("closes a call that is whole when the next begins", () => {
    const events = run(chatstyle.reply.decode(), chunksOf("tools.jsonl"));
    const order = events.flatMap((event) =>
      event.type === "open" || event.type === "close" ? [`${event.type}${event.index}`] : [],
    );
    expect(order).toEqual(["open0", "close0", "open1", "close1", "open2", "close2", "open3", "close3"]);
  });

  it.each<[string, Json[], string]>([
    [
      "length with calls",
      [fragment({ index: 0, id: "a", ...fn("f", '{"x') }), delta({}, "length")],
      "length",
    ],
    ["a filter", [delta({ content: "a" }, "content_filter")], "content_filter"],
    ["calls without any", [delta({ content: "a" }, "tool_calls")], "stop"],
    [
      "the older word",
      [delta({ function_call: { name: "f", arguments: "{}" } }, "function_call")],
      "tool_calls",
    ],
    ["a refusal", [delta({ refusal: "no" }, "stop")], "refusal"],
    ["an unknown word", [delta({ content: "a" }, "tired")], "other"],
    ["a clean end without a word", [delta({ content: "a" }), DONE], "stop"],
  ])("reads the end of %s", (_, chunks, reason) => {
    expect(reply(chunks).choices[0]?.finish?.reason).toBe(reason);
    expect(reply(chunks).failure).toBeUndefined();
  });

  it.each<[string, Json[]]>([
    ["nothing", []],
    ["only the closing line", [DONE]],
    ["a cut", [delta({ content: "a" })]],
    ["one choice of two", [delta({ content: "a" }, "stop"), delta({ content: "b" }, null, 1)]],
  ])("takes %s for a cut stream", (_, chunks) => {
    expect(reply(chunks).failure?.kind).toBe("unavailable");
  });

  it.each<[string, Json, object]>([
    ["a text", { error: "broken" }, { kind: "server", message: "broken" }],
    [
      "an object",
      { error: { message: "slow down", type: "rate_limit_error", code: null } },
      { kind: "rate_limit", status: 429, message: "slow down" },
    ],
    [
      "a number for a code",
      { error: { message: "busy", code: 503 } },
      { kind: "unavailable", status: 503, code: "503" },
    ],
    ["a list of one", [{ error: { message: "bad", code: 400 } }], { kind: "invalid", message: "bad" }],
    [
      "an object of its own",
      { object: "error", message: "no such model", type: "NotFoundError", code: 404 },
      { kind: "not_found", message: "no such model" },
    ],
    [
      "a choice",
      { choices: [{ index: 0, delta: {}, finish_reason: "error", error: { message: "lost", code: 502 } }] },
      { kind: "unavailable", message: "lost" },
    ],
  ])("reads an error in the stream that is %s, and nothing after it", (_, chunk, failure) => {
    const read = reply([delta({ content: "a" }), chunk, delta({ content: "b" }, "stop"), DONE]);
    expect(read.failure).toMatchObject(failure);
    expect(read.choices[0]?.finish).toBeUndefined();
  });

  it.each<[string, Json[], object[]]>([
    [
      "a seal alone",
      [
        delta({ reasoning_content: "hm" }),
        delta({ reasoning_details: [{ type: "reasoning.text", signature: "S", index: 0 }] }),
      ],
      [{ type: "reasoning", text: "hm", seal: { protocol: "chatstyle", value: "S" } }],
    ],
    [
      "blocks",
      [
        delta({ reasoning_content: "h", thinking_blocks: [{ type: "thinking", thinking: "h" }] }),
        delta({ thinking_blocks: [{ type: "thinking", thinking: "", signature: "S" }] }),
      ],
      [{ type: "reasoning", text: "h", seal: { protocol: "chatstyle", value: "S" } }],
    ],
    [
      "content",
      [
        delta({
          content: [
            { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
            { type: "text", text: "a" },
          ],
        }),
      ],
      [
        { type: "reasoning", text: "hm" },
        { type: "text", text: "a" },
      ],
    ],
  ])("reads reasoning that comes as %s", (_, chunks, expected) => {
    expect(parts([...chunks, delta({}, "stop")])).toEqual(expected);
  });

  it.each<[string, JsonObject, object | undefined]>([
    [
      "reasoning left out of the completion",
      {
        prompt_tokens: 32,
        completion_tokens: 9,
        total_tokens: 135,
        completion_tokens_details: { reasoning_tokens: 94 },
      },
      { input: 32, output: 103, reasoning: 94 },
    ],
    [
      "another name for cache hits",
      { prompt_tokens: 10, completion_tokens: 1, prompt_cache_hit_tokens: 8 },
      { input: 10, output: 1, cacheRead: 8 },
    ],
    ["a missing part", { prompt_tokens: 10, total_tokens: 12 }, { input: 10, output: 2 }],
    ["nonsense", { prompt_tokens: -1, completion_tokens: 1 }, undefined],
    [
      "more cache than prompt",
      { prompt_tokens: 1, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 5 } },
      { input: 1, output: 1 },
    ],
  ])("counts usage with %s", (_, usage, expected) => {
    expect(reply([{ ...(delta({ content: "a" }, "stop") as JsonObject), usage }]).usage).toEqual(expected);
  });

  it("never throws, whatever comes", () => {
    const odd = fc.dictionary(
      fc.constantFrom(
        "choices",
        "delta",
        "message",
        "content",
        "tool_calls",
        "function",
        "usage",
        "error",
        "index",
        "finish_reason",
        "logprobs",
        "annotations",
        "reasoning_details",
        "audio",
        "images",
      ),
      fc.jsonValue(),
    );
    const chunk = fc.oneof(
      fc.jsonValue(),
      odd,
      fc.record({
        choices: fc.array(
          fc.record({ index: fc.jsonValue(), delta: odd, finish_reason: fc.jsonValue(), logprobs: odd }),
        ),
      }),
    );
    fc.assert(
      fc.property(fc.array(chunk), (chunks) => {
        const read = reply(chunks as Json[]);
        expect(read.failure !== undefined || read.choices.every((choice) => choice.finish)).toBe(true);
        chatstyle.reply.gather(chunks as never);
        for (const one of chunks) chatstyle.failure.decode(500, one as Json);
      }),
    );
  });
});

describe("replies to clients", () => {
  const answer = (...list: Reply["choices"][number]["parts"]): Reply => ({
    choices: [{ parts: list, finish: { reason: "stop" } }],
  });

  it.each<[string, Reply]>([
    [
      "foreign seals on reasoning",
      answer(
        { type: "reasoning", text: "hm", seal: { protocol: "msgstyle", value: "Sig==" } },
        { type: "reasoning", text: "", redacted: true, seal: { protocol: "msgstyle", value: "Data" } },
        { type: "reasoning", text: "", seal: { protocol: "responses", value: "enc" } },
        { type: "text", text: "a" },
      ),
    ],
    [
      "thoughts behind sealed ones",
      answer(
        { type: "reasoning", text: "", seal: { protocol: "responses", value: "enc" } },
        { type: "reasoning", text: "one" },
        { type: "reasoning", text: "two" },
        { type: "reasoning", text: "", seal: { protocol: "responses", value: "enc2" } },
      ),
    ],
    [
      "foreign seals on calls",
      answer({
        type: "call",
        id: "c",
        name: "f",
        arguments: "{}",
        seal: { protocol: "genstyle", value: "Sig==" },
      }),
    ],
    [
      "thinking between text and calls",
      answer(
        { type: "reasoning", text: "one" },
        { type: "text", text: "a" },
        { type: "reasoning", text: "two", seal: { protocol: "msgstyle", value: "S2" } },
        { type: "call", id: "c", name: "f", arguments: '{"x":1}' },
        { type: "text", text: "b" },
      ),
    ],
  ])("bring %s back", (_, sent) => {
    const back = reply(JSON.parse(JSON.stringify(write(unfold(sent)))) as Json[]);
    expect(back.choices[0]?.parts).toEqual(sent.choices[0]?.parts);
    const body = chatstyle.reply.gather(write(unfold(sent))) as unknown as Json;
    const sorted = (read: Reply) => read.choices[0]?.parts.filter((part) => part.type === "reasoning");
    expect(sorted(reply(chatstyle.reply.burst(body)))).toEqual(sorted(sent));
  });

  it("carry every seal through a client that echoes the message", () => {
    const sealed = answer(
      { type: "reasoning", text: "hm", seal: { protocol: "msgstyle", value: "Sig==" } },
      { type: "call", id: "c", name: "f", arguments: "{}", seal: { protocol: "genstyle", value: "G" } },
    );
    const message = chatstyle.reply.gather(write(unfold(sealed))).choices[0]?.message as object;
    const id = (message as { tool_calls: { id: string }[] }).tool_calls[0]?.id;
    const { messages } = decode({
      model: "m",
      messages: [message, { role: "tool", tool_call_id: id, content: "1" }],
    });
    expect(messages[0]?.parts).toEqual(sealed.choices[0]?.parts);
    expect(messages[1]?.parts[0]).toMatchObject({ type: "result", id: "c" });
  });

  it("write the end once, after everything, whichever of usage and finish comes first", () => {
    const events = unfold({
      choices: [{ parts: [{ type: "text", text: "a" }], finish: { reason: "length" } }],
      usage: { input: 1, output: 2 },
    });
    const swapped = [
      ...events.filter((event) => event.type === "usage"),
      ...events.filter((event) => event.type !== "usage"),
    ];
    const chunks = write(events);
    expect(write(swapped)).toEqual(chunks);
    expect(chunks.slice(-3)).toMatchObject([
      { choices: [{ delta: {}, finish_reason: "length" }] },
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
      DONE,
    ]);
  });

  it("write nothing like an end after a failure", () => {
    const failure = { kind: "server", status: 500, message: "boom" } as const;
    const chunks = write([
      ...unfold(answer({ type: "text", text: "a" })),
      { type: "failure", failure },
      { type: "delta", index: 0, text: "b" },
    ]);
    expect(chunks.at(-1)).toEqual({ error: "boom" });
    expect(JSON.stringify(chunks)).not.toMatch(/"finish_reason":"|DONE/);
  });

  it("tell of a seal that comes when the id of its call is already out", () => {
    const { losses, lose } = collectLosses();
    run(chatstyle.reply.encode(head, lose), [
      { type: "open", index: 0, part: { type: "call", id: "c", name: "f" } },
      { type: "close", index: 0, seal: { protocol: "genstyle", value: "S" } },
    ]);
    expect(losses.map((loss) => loss.path)).toEqual(["/choices/0/parts/0/seal"]);
  });

  it("write a call without arguments as an empty object, and its index without gaps", () => {
    const chunks = write(
      unfold(
        answer(
          { type: "text", text: "a" },
          { type: "call", id: "c", name: "f", arguments: "" },
          { type: "call", id: "d", name: "g", arguments: " " },
        ),
      ),
    );
    const calls = chatstyle.reply.gather(chunks).choices[0]?.message.tool_calls;
    expect(calls?.map((one) => one.type === "function" && JSON.parse(one.function.arguments))).toEqual([
      {},
      {},
    ]);
    const indexes = chunks.flatMap((chunk) =>
      chunk === DONE || "error" in chunk
        ? []
        : (chunk.choices[0]?.delta.tool_calls ?? []).map((one) => one.index),
    );
    expect([...new Set(indexes)]).toEqual([0, 1]);
  });

  it("say the role once for each choice, also where nothing is said", () => {
    const chunks = write([
      { type: "start" },
      { type: "open", index: 0, choice: 1, part: { type: "text" } },
      { type: "delta", index: 0, text: "b" },
      { type: "close", index: 0 },
      { type: "finish", choice: 0, reason: "content_filter" },
      { type: "finish", choice: 1, reason: "stop" },
    ]);
    const { choices } = chatstyle.reply.gather(chunks);
    expect(
      choices.map(({ message, finish_reason }) => [message.role, message.content, finish_reason]),
    ).toEqual([
      ["assistant", "", "content_filter"],
      ["assistant", "b", "stop"],
    ]);
    expect(JSON.stringify(chunks).match(/"role"/g)).toHaveLength(2);
  });

  it("count citations from the start of the content", () => {
    const sent = answer(
      { type: "text", text: "One. " },
      {
        type: "text",
        text: "Two.",
        citations: [
          { url: "https://e.x", quote: "two" },
          { url: "https://e.y", start: 0, end: 3 },
          { quote: "no address" },
        ],
      },
    );
    const { losses, lose } = collectLosses();
    const body = chatstyle.reply.gather(run(chatstyle.reply.encode(head, lose), unfold(sent)));
    expect(
      body.choices[0]?.message.annotations?.map(({ url_citation: c }) => [c.url, c.start_index, c.end_index]),
    ).toEqual([
      ["https://e.x", 5, 9],
      ["https://e.y", 5, 8],
    ]);
    expect(losses).toEqual([{ path: "/choices/0/parts/1/citations/2", why: "unsupported" }]);
  });
});

describe("what a pass-through looks at", () => {
  it.each(names("streams"))("marks every chunk of %s with usage, an end or an error", (name) => {
    for (const chunk of chunksOf(name)) {
      if (chunk === DONE) continue;
      const tells = chatstyle.reply
        .decode()
        .step(chunk)
        .some((event) => event.type === "usage" || event.type === "finish" || event.type === "failure");
      for (const written of [JSON.stringify(chunk), JSON.stringify(chunk).replaceAll(":", ": ")])
        if (tells) expect(chatstyle.reply.marks.some((mark) => written.includes(mark))).toBe(true);
    }
  });

  it("ends at the closing line and at errors, not before", () => {
    expect(chunksOf("plain.jsonl").map((chunk) => chatstyle.frame.last(chunk))).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(chatstyle.frame.last({ error: "x" })).toBe(true);
  });
});

describe("failures", () => {
  it.each<[number, Json | undefined, object]>([
    [
      404,
      {
        error: {
          message: "no model",
          type: "invalid_request_error",
          code: "model_not_found",
          param: "model",
        },
      },
      { kind: "not_found", message: "no model", code: "model_not_found", param: "model" },
    ],
    [429, { error: { message: "later", code: 429 } }, { kind: "rate_limit", code: "429" }],
    [400, { message: "bad" }, { kind: "invalid", message: "bad" }],
    [
      422,
      { detail: [{ loc: ["body"], msg: "field required" }] },
      { kind: "invalid", message: "field required" },
    ],
    [403, { errors: ["no credit"] }, { kind: "permission", message: "no credit" }],
    [502, "<html>Bad gateway</html>", { kind: "unavailable", message: "<html>Bad gateway</html>" }],
    [503, undefined, { kind: "unavailable", status: 503 }],
  ])("reads %i with %o", (status, body, failure) => {
    expect(chatstyle.failure.decode(status, body)).toMatchObject(failure);
  });

  it("writes its own errors as they came and others in its own shape", () => {
    const own = { error: { message: "m", type: "t", code: null, vendor: 1 } };
    expect(chatstyle.failure.encode(chatstyle.failure.decode(400, own))).toEqual({ status: 400, body: own });
    expect(chatstyle.failure.encode({ kind: "overloaded", status: 529, message: "busy" })).toEqual({
      status: 529,
      body: { error: { message: "busy", type: "server_error", param: null, code: null } },
    });
  });
});

it("accepts what the official client's types allow", () => {
  const request: OpenAI.Chat.ChatCompletionCreateParams = {
    model: "m",
    messages: [{ role: "user", content: [{ type: "text", text: "x" }] }],
    tools: [{ type: "function", function: { name: "f" } }],
    tool_choice: {
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "f" } }] },
    },
  };
  const wire: ChatWire = chatstyle.request.schema.parse(request);
  expect(chatstyle.request.decode(wire).toolChoice).toEqual({ mode: "required", names: ["f"] });
});
