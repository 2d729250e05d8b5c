import type Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import { PNG, stage, WEATHER } from "./setup.ts";

const set = stage();
const base = { model: "sim-text", max_tokens: 2048 };
const tools: Anthropic.Tool[] = [
  { name: "get_weather", input_schema: { ...WEATHER, type: "object" } },
  { name: "get_time", input_schema: { type: "object" } },
];
type Message = Anthropic.MessageParam;
const user = (content: Message["content"]): Message => ({ role: "user", content });

test("msgstyle answers text and images, and a stream adds up to the same message", async () => {
  const body = {
    ...base,
    messages: [
      user([
        { type: "text", text: "see 🌍 this" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
      ]),
    ],
  };
  const unary = await set.anthropic.messages.create(body);
  expect(unary.content).toMatchObject([
    { type: "text", text: "You said: see 🌍 this I see 1 image (image/png, 70 bytes)." },
  ]);
  const streamed = await set.anthropic.messages.stream(body).finalMessage();
  expect(streamed.content).toMatchObject([
    { type: "text", text: unary.content[0]?.type === "text" && unary.content[0].text },
  ]);
  expect(streamed.usage.output_tokens).toBe(unary.usage.output_tokens);
  expect(streamed.stop_reason).toBe("end_turn");
});

test("every event is named, blocks do not overlap, and the message ends once", async () => {
  const text = await (
    await set.post("/v1/messages", { ...base, messages: [user("[[reason]] get_time")], tools, stream: true })
  ).text();
  const events = text
    .split("\n\n")
    .filter(Boolean)
    .map((block) => {
      const [event, data] = block.split("\n");
      return { event: event?.replace("event: ", ""), data: JSON.parse(data!.replace("data: ", "")) };
    });
  expect(events.every(({ event, data }) => event === data.type)).toBe(true);
  let open = -1;
  for (const { data } of events) {
    if (data.type === "content_block_start") {
      expect(open).toBe(-1);
      open = data.index;
    }
    if (data.type === "content_block_delta") expect(data.index).toBe(open);
    if (data.type === "content_block_stop") open = -1;
  }
  expect(events.map(({ data }) => data.type).slice(-2)).toEqual(["message_delta", "message_stop"]);
});

test("parallel calls take two turns, and a call without arguments has an empty object", async () => {
  const messages = [user("get_weather city: Lima, then get_time")];
  const first = await set.anthropic.messages.stream({ ...base, messages, tools }).finalMessage();
  expect(first.stop_reason).toBe("tool_use");
  const calls = first.content.filter((block) => block.type === "tool_use");
  expect(calls.map(({ name, input }) => [name, input])).toEqual([
    ["get_weather", { city: "Lima" }],
    ["get_time", {}],
  ]);
  const results = calls.map(({ id, name }, index) => ({
    type: "tool_result" as const,
    tool_use_id: id,
    content: `${name}!`,
    is_error: index === 1,
  }));
  const second = await set.anthropic.messages.create({
    ...base,
    tools,
    messages: [...messages, { role: "assistant", content: first.content }, user(results)],
  });
  expect(second.content).toMatchObject([
    { text: "get_weather returned: get_weather!\nget_time failed: get_time!" },
  ]);
  const one = await set.anthropic.messages.create({
    ...base,
    messages,
    tools,
    tool_choice: { type: "auto", disable_parallel_tool_use: true },
  });
  expect(one.content).toHaveLength(1);
});

test.each(["", " [[redacted]]"])("thinking must come back first and unchanged%s", async (directive) => {
  const messages = [user(`get_time please${directive}`)];
  const rest = { ...base, tools, thinking: { type: "enabled" as const, budget_tokens: 1024 } };
  const first = await set.anthropic.messages.stream({ ...rest, messages }).finalMessage();
  const [thought, call] = first.content;
  expect(thought?.type).toBe(directive ? "redacted_thinking" : "thinking");
  const result = user([
    { type: "tool_result", tool_use_id: call?.type === "tool_use" ? call.id : "", content: "noon" },
  ]);
  const replay = (content: Anthropic.ContentBlockParam[]) =>
    set.anthropic.messages.create({
      ...rest,
      messages: [...messages, { role: "assistant", content }, result],
    });

  expect((await replay(first.content)).content.at(-1)).toMatchObject({ text: "get_time returned: noon" });
  await expect(replay([call!])).rejects.toThrow(
    /Expected `thinking` or `redacted_thinking`, but found `tool_use`/,
  );
  const altered: Anthropic.ContentBlockParam =
    thought?.type === "thinking"
      ? { ...thought, thinking: `${thought.thinking}.` }
      : { type: "redacted_thinking", data: "Zm9yZWlnbg==" };
  await expect(replay([altered, call!])).rejects.toThrow(/Invalid `(signature|data)`/);
});

test("cache markers write first and read afterwards, outside of input_tokens", async () => {
  const system = [
    { type: "text" as const, text: "s".repeat(400), cache_control: { type: "ephemeral" as const } },
  ];
  const ask = (text: string) => set.anthropic.messages.create({ ...base, system, messages: [user(text)] });
  expect((await ask("four")).usage).toMatchObject({
    input_tokens: 1,
    cache_creation_input_tokens: 100,
    cache_read_input_tokens: 0,
  });
  expect((await ask("five!")).usage).toMatchObject({
    input_tokens: 2,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 100,
  });
});

test("structured output, stop sequences, limits, refusals and counting work", async () => {
  const schema = { ...WEATHER, additionalProperties: false };
  const ask = (text: string, rest: object = {}) =>
    set.anthropic.messages.create({ ...base, messages: [user(text)], ...rest });
  const structured = await ask("city: Kyiv", { output_config: { format: { type: "json_schema", schema } } });
  const [block] = structured.content;
  expect(JSON.parse(block?.type === "text" ? block.text : "")).toEqual({ city: "Kyiv", unit: "C" });
  expect(await ask("a END b", { stop_sequences: ["END"] })).toMatchObject({
    stop_reason: "stop_sequence",
    stop_sequence: "END",
  });
  expect(await ask("abc", { max_tokens: 2 })).toMatchObject({
    stop_reason: "max_tokens",
    stop_sequence: null,
  });
  expect(await ask("abc", { max_tokens: 0 })).toMatchObject({ content: [], usage: { output_tokens: 0 } });
  expect(await ask("[[refuse]]")).toMatchObject({ stop_reason: "refusal", content: [] });
  const counted = await set.anthropic.messages.countTokens({
    model: "sim-text",
    messages: [user("12345678")],
  });
  expect(counted.input_tokens).toBe(2);
});
