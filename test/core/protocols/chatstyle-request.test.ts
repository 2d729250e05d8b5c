import { describe, expect, it } from "vitest";
import type { Json } from "../../../packages/core/src/json/json.ts";
import { chatstyle } from "../../../packages/core/src/protocols/chatstyle/index.ts";
import { decode, text } from "./chatstyle-kit.ts";

describe("chatstyle requests from clients", () => {
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
  ])("a wrong %s is refused and named", (_, wire, member) => {
    const result = chatstyle.request.schema.safeParse({ model: "m", ...wire });
    expect(result.success).toBe(false);
    expect(JSON.stringify(result.error?.issues)).toContain(member);
  });

  it("the answers of one step are collected in one message, in order", () => {
    const { messages } = decode(JSON.parse(text("requests", "tools.json")));
    expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "user", "user"]);
    expect(messages[2]?.parts.map((part) => part.type === "result" && part.id)).toEqual([
      "call_b2",
      "call_a1",
      "call_c3",
    ]);
  });

  it("the answers of the older form belong to their own calls", () => {
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
  ])("arguments are read that are %s", (_, written, expected) => {
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
  ])("a file is read that is %s", (_, file, source) => {
    const [message] = decode({
      model: "m",
      messages: [{ role: "user", content: [{ type: "file", file }] }],
    }).messages;
    expect(message?.parts[0]).toMatchObject({ type: "media", source });
  });

  it("the newer limit is taken before the older one, and null for nothing", () => {
    const wire = {
      model: "m",
      messages: [{ role: "user", content: "x" }],
      max_tokens: 9,
      max_completion_tokens: 7,
      seed: null,
    };
    expect(decode(wire).params).toEqual({ maxTokens: 7 });
  });

  it("falsy values are kept", () => {
    const wire = {
      model: "m",
      messages: [{ role: "user", content: "x" }],
      temperature: 0,
      seed: 0,
      store: false,
    };
    expect(decode(wire).params).toEqual({ temperature: 0, seed: 0, store: false });
  });

  it("reasoning in every spelling is read once", () => {
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

  it("a signature beside a call is read as its issuer's", () => {
    const { messages } = decode(JSON.parse(text("requests", "reasoning-history.json")));
    expect(messages[1]?.parts.at(-1)).toMatchObject({
      seal: { protocol: "genstyle", value: "CpQCAVSoXO4=" },
    });
    expect(messages[1]?.parts.at(-1)).not.toHaveProperty("extra");
  });
});

it("calls and results that are written as blocks of the messages wire are calls and results", () => {
  const picture = {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" },
  };
  const { messages } = decode({
    model: "m",
    messages: [
      {
        role: "assistant",
        content: [
          { type: "text", text: "Wait." },
          { type: "tool_use", id: "c1", name: "f", input: { x: 1 } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: [picture], is_error: true },
          { type: "tool_result", tool_use_id: "c2", content: "Done." },
          { type: "text", text: "Go on." },
        ],
      },
    ],
  });
  const source = { type: "base64", mediaType: "image/png", data: "iVBORw0KGgo=" };
  expect(messages.map(({ parts }) => parts)).toEqual([
    [
      { type: "text", text: "Wait." },
      { type: "call", id: "c1", name: "f", arguments: '{"x":1}' },
    ],
    [
      { type: "result", id: "c1", parts: [{ type: "media", kind: "image", source }], failed: true },
      { type: "result", id: "c2", parts: [{ type: "text", text: "Done." }] },
      { type: "text", text: "Go on." },
    ],
  ]);
});
