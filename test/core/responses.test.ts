import { readdirSync, readFileSync } from "node:fs";
import {
  collectLosses,
  DONE,
  type Event,
  encodeRequest,
  fold,
  ignoreLosses,
  type Json,
  type JsonObject,
  type Message,
  responses,
  run,
  type TextRequest,
} from "@manifold/core";
import type OpenAI from "openai";
import { ResponseStream } from "openai/lib/responses/ResponseStream";
import { describe, expect, expectTypeOf, test } from "vitest";
import type {
  Body as ResponsesBody,
  Chunk as ResponsesChunk,
} from "../../packages/core/src/protocols/responses/schema.ts";

const folder = new URL("../fixtures/responses/", import.meta.url);
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
const messagesOf = (...input: Json[]): Message[] => decode({ input }).messages;
const encode = (request: Partial<TextRequest>, traits = {}) => {
  const { losses, lose } = collectLosses();
  const whole = { model: "m", stream: false, messages: [], params: {}, ...request };
  return { wire: responses.request.encode(whole, lose, traits) as JsonObject, losses };
};
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

describe("the conversation", () => {
  test("what the model said in a row is one message, and so are results in a row", () => {
    const messages = messagesOf(
      { role: "user", content: "a" },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "E" },
      { role: "assistant", content: "b" },
      { type: "function_call", call_id: "c1", name: "f", arguments: "{}" },
      { type: "custom_tool_call", call_id: "c2", name: "g", input: "text" },
      { type: "function_call_output", call_id: "c1", output: "1" },
      { type: "custom_tool_call_output", call_id: "c2", output: "2" },
      { role: "user", content: "c" },
    );
    expect(messages.map(({ role, parts }) => [role, ...parts.map(({ type }) => type)])).toEqual([
      ["user", "text"],
      ["assistant", "reasoning", "text", "call", "call"],
      ["user", "result", "result"],
      ["user", "text"],
    ]);
    expect(messages[1]?.parts[3]).toMatchObject({ id: "c2", arguments: "text", freeform: true });
  });

  test("instructions come first, and only a first plain system text goes back there", () => {
    const wire = {
      instructions: "i",
      input: [
        { role: "system", content: "s" },
        { role: "user", content: "u" },
      ],
    };
    const request = decode(wire);
    expect(request.messages.map((message) => [message.role, message.parts])).toEqual([
      ["system", [{ type: "text", text: "i" }]],
      ["system", [{ type: "text", text: "s" }]],
      ["user", [{ type: "text", text: "u" }]],
    ]);
    expect(encode(request).wire).toMatchObject({
      instructions: "i",
      input: [{ role: "system", content: "s" }, { role: "user" }],
    });
    const developer = decode({
      input: [
        { role: "developer", content: "d" },
        { role: "user", content: "u" },
      ],
    });
    expect(encode(developer).wire).not.toHaveProperty("instructions");
    const alone = encode({ messages: [{ role: "system", parts: [{ type: "text", text: "s" }] }] });
    expect(alone.wire.input).toHaveLength(1);
  });

  test("pairs are made by call_id; ids of items stay beside it", () => {
    const [assistant] = messagesOf({
      type: "function_call",
      id: "fc_9",
      call_id: "c",
      name: "f",
      arguments: "",
    });
    expect(assistant?.parts[0]).toMatchObject({ id: "c", extra: { fields: { id: "fc_9" } } });
    const foreign = encode({
      messages: [{ role: "assistant", parts: [{ type: "call", id: "toolu_1", name: "f", arguments: " " }] }],
    });
    expect(foreign.wire.input).toEqual([
      { type: "function_call", call_id: "toolu_1", name: "f", arguments: "{}" },
    ]);
  });

  test.each([
    [
      "local_shell_call",
      { call_id: "c", action: { type: "exec", command: ["ls"] } },
      "local_shell",
      { output: "o" },
    ],
    ["shell_call", { call_id: "c", action: { commands: ["ls"] } }, "shell", { output: [{ stdout: "o" }] }],
    [
      "apply_patch_call",
      { call_id: "c", operation: { type: "delete_file", path: "p" } },
      "apply_patch",
      { output: "no", status: "failed" },
    ],
  ])("%s and its result are a call and a result, and go back as they were", (type, call, name, answer) => {
    const named = type === "local_shell_call" ? { id: "c" } : { call_id: "c" };
    const result = { type: `${type}_output`, ...named, ...answer };
    const input = [{ role: "user", content: "x" }, { type, ...call }, result];
    const request = decode({ input });
    expect(request.messages[1]?.parts[0]).toMatchObject({ type: "call", id: "c", name });
    expect(request.messages[2]?.parts[0]).toMatchObject({ type: "result", id: "c" });
    const { wire, losses } = encode(request);
    expect(wire.input).toEqual([{ type: "message", ...input[0] }, input[1], input[2]]);
    expect(losses).toEqual([]);
    // An answer that was made up for the call has to be of its kind.
    const { wire: mended } = encodeRequest({ ...request, messages: request.messages.slice(0, 2) }, responses);
    expect(mended.input).toContainEqual(expect.objectContaining({ type: `${type}_output`, ...named }));
  });

  test("a failed result says so in its text, because the wire has no flag", () => {
    const result = (words: string): Message => ({
      role: "user",
      parts: [
        { type: "result", id: "c", failed: true, parts: words === "" ? [] : [{ type: "text", text: words }] },
      ],
    });
    const output = (words: string) =>
      (encode({ messages: [result(words)] }).wire.input as JsonObject[])[0]?.output;
    expect([output("no such city"), output("Error: none"), output("")]).toEqual([
      "Error: no such city",
      "Error: none",
      "Error",
    ]);
  });

  test("nodes are traced to where they stood", () => {
    const pointers: string[] = [];
    decode(
      {
        instructions: "i",
        input: [{ role: "user", content: [{ type: "input_text", text: "a" }] }],
        tools: [{ type: "namespace", name: "n", tools: [{ type: "function", name: "f" }] }],
      },
      (_, pointer) => pointers.push(pointer),
    );
    expect(pointers).toEqual([
      "/instructions",
      "/instructions",
      "/input/0/content/0",
      "/input/0",
      "/tools/0/tools/0",
    ]);
  });
});

describe("seals in a request", () => {
  const thought = (extra: object): Message => ({
    role: "assistant",
    parts: [
      { type: "reasoning", text: "t", ...extra },
      { type: "text", text: "a" },
    ],
  });
  test.each([
    ["its own state goes back", { seal: { protocol: "responses", value: "E" } }, 2, 0],
    ["foreign state is dropped with its item", { seal: { protocol: "msgstyle", value: "E" } }, 1, 1],
    ["a thought without state is dropped", {}, 1, 1],
    [
      "an item that the server knows by id goes back",
      { extra: { protocol: "responses", fields: { id: "rs_1" } } },
      2,
      0,
    ],
  ])("%s", (_, extra, count, lost) => {
    const { wire, losses } = encode({ messages: [thought(extra)] });
    expect([(wire.input as Json[]).length, losses.length]).toEqual([count, lost]);
    expect(JSON.stringify(wire)).not.toContain("mfseal");
  });

  test("whoever asks for thinking asks for its state, and nobody is told twice", () => {
    expect(encode({ reasoning: { effort: "low" } }).wire.include).toEqual(["reasoning.encrypted_content"]);
    expect(encode({ reasoning: { mode: "off" } }).wire).not.toHaveProperty("include");
    const request = decode({
      input: "x",
      reasoning: { effort: "low" },
      include: ["reasoning.encrypted_content", "message.output_text.logprobs", "a"],
    });
    expect(request.extra?.fields.include).toEqual(["a"]);
    expect(request.params.logprobs).toBe(true);
    expect(encode(request).wire.include).toEqual([
      "a",
      "reasoning.encrypted_content",
      "message.output_text.logprobs",
    ]);
  });
});

describe("tools", () => {
  test("a tool that nobody asked strictness of says that it is not strict", () => {
    const strict = (asked?: boolean) => {
      const tool = { type: "function" as const, name: "f", ...(asked !== undefined && { strict: asked }) };
      return (encode({ tools: [tool] }).wire.tools as JsonObject[])[0]?.strict;
    };
    expect([strict(), strict(false), strict(true)]).toEqual([false, false, true]);
  });

  test("tools of a namespace are flat, and their calls find it again", () => {
    const request = decode({
      input: "x",
      tools: [
        {
          type: "namespace",
          name: "git",
          description: "d",
          tools: [
            { type: "function", name: "log" },
            { type: "custom", name: "commit" },
          ],
        },
        { type: "namespace", name: "mcp__web__", tools: [{ type: "function", name: "log" }] },
      ],
      tool_choice: { type: "function", name: "log", namespace: "git" },
    });
    expect(request.tools?.map((tool) => tool.type === "function" && tool.name)).toEqual([
      "git__log",
      "git__commit",
      "mcp__web__log",
    ]);
    expect(request.toolChoice?.names).toEqual(["git__log"]);
    const { wire } = encode(request);
    expect(wire.tools).toMatchObject([
      { type: "namespace", name: "git", tools: [{ name: "log" }, { type: "custom", name: "commit" }] },
      { type: "namespace", name: "mcp__web__", tools: [{ name: "log" }] },
    ]);
    expect(wire.tool_choice).toEqual({ type: "function", name: "log", namespace: "git" });
    const { body } = write(
      say(
        { type: "open", index: 0, part: { type: "call", id: "c", name: "mcp__web__log" } },
        { type: "close", index: 0 },
      ),
      request,
    );
    expect(body.output[0]).toMatchObject({ name: "log", namespace: "mcp__web__", arguments: "{}" });
  });

  test("tools that the conversation brings are in the list, and stay in their place", () => {
    const late = { type: "function", name: "late", parameters: null, strict: false };
    const input = [
      { type: "additional_tools", role: "developer", tools: [late] },
      { role: "user", content: "x" },
    ];
    const request = decode({ input, tools: [{ type: "function", name: "early", strict: false }] });
    expect(request.tools).toHaveLength(2);
    const { wire } = encode(request);
    expect(wire.tools).toHaveLength(1);
    expect(wire.input).toMatchObject([input[0], { role: "user" }]);
  });
});

describe("params", () => {
  test.each([
    [{ maxTokens: 4 }, { max_output_tokens: 16 }, 1],
    [{ maxTokens: 16 }, { max_output_tokens: 16 }, 0],
    [{ temperature: 0 }, { temperature: 0 }, 0],
    [{ stop: ["x"], seed: 1, topK: 4 }, {}, 3],
    [{ serviceTier: "standard_only" }, { service_tier: "default" }, 1],
    [{ verbosity: "low" }, { text: { verbosity: "low" } }, 0],
  ])("%o", (params, expected, lost) => {
    const { wire, losses } = encode({ params });
    expect(wire).toEqual({ model: "m", input: [], ...expected });
    expect(losses).toHaveLength(lost);
  });

  test("a format is named also where nobody named it", () => {
    const { wire } = encode({ format: { type: "schema", schema: {} } });
    expect(wire.text).toEqual({ format: { type: "json_schema", name: "response", schema: {} } });
    expect(decode({ input: "x", ...wire }).format).toEqual({ type: "schema", schema: {} });
  });

  test.each([
    [{ input: 3 }, "input", "must be a string or a list of items"],
    [{ input: [{ role: "robot", content: "x" }] }, "input.0.role", /user/],
    [{ input: [{ type: "function_call", name: "f" }] }, "input.0.call_id", /string/],
    [
      { input: [{ role: "user", content: [{ type: "input_text" }] }] },
      "input.0.content.0.text",
      /needs "text"/,
    ],
    [{ input: "x", tools: [{ type: "function" }] }, "tools.0.name", /string/],
    [{ input: "x", temperature: "hot" }, "temperature", /number/],
  ])("%o is refused at %s", (wire, path, message) => {
    const found = responses.request.schema.safeParse({ model: "m", ...wire }).error?.issues ?? [];
    expect(found.map((issue) => issue.path.join("."))).toContain(path);
    expect(found.map((issue) => issue.message).join()).toMatch(message);
  });
});

describe("the stream grammar", () => {
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
  ] as const)("%s ends as %s", (reason, status, details) => {
    const { body } = write([{ type: "start" }, ...text(0, "a"), { type: "finish", reason }]);
    expect([body.status, body.incomplete_details]).toEqual([status, details]);
    expect(body.output[0]?.status).toBe(status);
  });

  test("nothing that looks like an end follows a failure, or comes without a finish", () => {
    const failure = { kind: "rate_limit", status: 429, message: "slow" } as const;
    const { chunks } = write([{ type: "start" }, ...text(0, "a"), { type: "failure", failure }]);
    expect(chunks.at(-1)).toMatchObject({ type: "error", code: "rate_limit_exceeded", message: "slow" });
    expect(types(write([{ type: "start" }, ...text(0, "a")]).chunks)).not.toContain(DONE);
  });

  test("the response repeats what it was asked", () => {
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

describe("seals in a reply travel to the next turn", () => {
  test.each([
    ["of a thought", { seal: { protocol: "msgstyle", value: "s/g+=" } }],
    ["of a thought without text", { redacted: true, seal: { protocol: "msgstyle", value: "data" } }],
    ["of its own", { seal: { protocol: "responses", value: "gAAA==" } }],
  ] as const)("%s", (_, { seal, ...part }) => {
    const { body } = write(
      say(
        { type: "open", index: 0, part: { type: "reasoning", ...part } },
        { type: "close", index: 0, seal },
      ),
    );
    const [message] = decode({ input: body.output as unknown as Json[] }).messages;
    expect(message?.parts[0]).toMatchObject({ type: "reasoning", text: "", seal, ...part });
  });

  test("of a call, in its id and that of its result", () => {
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

describe("tolerant reading", () => {
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
  ])("%s is a failure", (path, kind, status) => {
    expect(reply(path).failure).toMatchObject({ kind, status });
  });
  test("calls decide how it ended, unless it was cut", () => {
    expect(reply("tools").choices[0]?.finish?.reason).toBe("tool_calls");
    expect(reply("search").choices[0]?.finish?.reason).toBe("stop");
    expect(reply("refusal").choices[0]?.finish?.reason).toBe("refusal");
    expect(reply("length").choices[0]?.finish).toEqual({ reason: "length", raw: "max_output_tokens" });
  });
});

describe("the vendor's own SDK", () => {
  test("takes the types of what is written", () => {
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
  test.each(streams)("accumulates %s as we wrote it", async (path) => {
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
