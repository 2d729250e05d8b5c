import {
  collectLosses,
  encodeRequest,
  ignoreLosses,
  responses,
  type TextRequest,
} from "@manifold-gateway/core";
import { type Json, type JsonObject, run } from "@manifold-gateway/core/codec";
import type { Event, Message } from "@manifold-gateway/core/ir";
import { describe, expect, test } from "vitest";

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
describe("the conversation of a response", () => {
  test("consecutive items of the model are one message, and so are consecutive results", () => {
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

  test("instructions come first, and only a leading plain system text is written there", () => {
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
  ])(
    "%s and its result are a call and a result, and are written as they were",
    (type, call, name, answer) => {
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
      const { wire: mended } = encodeRequest(
        { ...request, messages: request.messages.slice(0, 2) },
        responses,
      );
      expect(mended.input).toContainEqual(expect.objectContaining({ type: `${type}_output`, ...named }));
    },
  );

  test("a failed result is marked in its text, because the wire has no flag", () => {
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
  ])("a seal is kept or dropped by its issuer: %s", (_, extra, count, lost) => {
    const { wire, losses } = encode({ messages: [thought(extra)] });
    expect([(wire.input as Json[]).length, losses.length]).toEqual([count, lost]);
    expect(JSON.stringify(wire)).not.toContain("mfseal");
  });

  test("a request for thinking also requests its state, and no loss is reported twice", () => {
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

describe("the tools of a response", () => {
  test("a tool without a request for strictness is sent as not strict", () => {
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
    const call = { type: "call", id: "c", name: "mcp__web__log" } as const;
    const events: Event[] = [
      { type: "start" },
      { type: "open", index: 0, part: call },
      { type: "close", index: 0 },
      { type: "finish", reason: "tool_calls" },
    ];
    const head = { id: "h", model: "m", created: 0, request };
    const body = responses.reply.gather(run(responses.reply.encode(head, ignoreLosses), events));
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

describe("the parameters of a response", () => {
  test.each([
    [{ maxTokens: 4 }, { max_output_tokens: 16 }, 1],
    [{ maxTokens: 16 }, { max_output_tokens: 16 }, 0],
    [{ temperature: 0 }, { temperature: 0 }, 0],
    [{ stop: ["x"], seed: 1, topK: 4 }, {}, 3],
    [{ serviceTier: "standard_only" }, { service_tier: "default" }, 0],
    [{ verbosity: "low" }, { text: { verbosity: "low" } }, 0],
  ])("parameters are written: %o", (params, expected, lost) => {
    const { wire, losses } = encode({ params });
    expect(wire).toEqual({ model: "m", input: [], ...expected });
    expect(losses).toHaveLength(lost);
  });

  test("a format gets a name where it has none", () => {
    const { wire } = encode({ format: { type: "schema", schema: {} } });
    expect(wire.text).toEqual({ format: { type: "json_schema", name: "response", schema: {} } });
    expect(decode({ input: "x", ...wire }).format).toEqual({ type: "schema", schema: {} });
  });

  test.each([
    [{ input: 3 }, "input", "must be a string or a list of items"],
    [{ input: [{ role: "robot", content: "x" }] }, "input.0.role", /user/],
    [{ input: [{ type: "function_call", name: "f" }] }, "input.0.call_id", /text/],
    [
      { input: [{ role: "user", content: [{ type: "input_text" }] }] },
      "input.0.content.0.text",
      /needs "text"/,
    ],
    [{ input: "x", tools: [{ type: "function" }] }, "tools.0.name", /needs "name"/],
    [{ input: "x", temperature: "hot" }, "temperature", /number/],
  ])("a request with %o is refused at %s", (wire, path, message) => {
    const found = responses.request.schema.safeParse({ model: "m", ...wire }).error?.issues ?? [];
    expect(found.map((issue) => issue.path.join("."))).toContain(path);
    expect(found.map((issue) => issue.message).join()).toMatch(message);
  });
});
