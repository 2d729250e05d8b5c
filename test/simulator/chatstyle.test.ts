import type OpenAI from "openai";
import { expect, test } from "vitest";
import { collect, PNG, stage, WEATHER } from "./setup.ts";

const set = stage();
const model = "sim-text";
const tools: OpenAI.ChatCompletionTool[] = [
  { type: "function", function: { name: "get_weather", parameters: WEATHER } },
  { type: "function", function: { name: "get_time" } },
];
type Message = OpenAI.ChatCompletionMessageParam;

test("chatstyle echoes text and images with type and size, and quotes the system text on request", async () => {
  const messages: Message[] = [
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "look [[system]]" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
      ],
    },
  ];
  const answer = await set.openai.chat.completions.create({ model, messages });
  expect(answer.choices[0]?.message.content).toBe(
    "You said: look I see 1 image (image/png, 70 bytes). System: Be brief.",
  );
  expect(answer.created).toBe(1_700_000_000);
  expect(answer.choices[0]?.finish_reason).toBe("stop");
});

test("the same request has the same answer, byte for byte", async () => {
  const body = { model, messages: [{ role: "user", content: "again" }], stream: true };
  const ask = async () => (await set.post("/chat/completions", body)).text();
  expect(await ask()).toBe(await ask());
});

test("a stream adds up to the unary answer, multi-byte characters and usage included", async () => {
  const body = {
    model,
    messages: [{ role: "user" as const, content: "[[text:žluťoučký 🐎 úpěl 漢字 and so on]]" }],
    reasoning_effort: "low" as const,
  };
  const unary = await set.openai.chat.completions.create(body);
  const stream = set.openai.chat.completions.stream({ ...body, stream_options: { include_usage: true } });
  const deltas: string[] = [];
  stream.on("content", (delta) => deltas.push(delta));
  const streamed = await stream.finalChatCompletion();
  expect(streamed.choices[0]?.message.content).toBe(unary.choices[0]?.message.content);
  expect(deltas.length).toBeGreaterThan(2);
  expect(streamed.usage).toEqual(unary.usage);
  expect(unary.choices[0]?.message).toMatchObject({ reasoning_content: expect.stringContaining("Thinking") });
});

test("usage comes only on request, in a chunk without choices after the finish", async () => {
  const messages: Message[] = [{ role: "user", content: "hi" }];
  const without = await collect(await set.openai.chat.completions.create({ model, messages, stream: true }));
  expect(without.every((chunk) => chunk.usage == null)).toBe(true);
  const options = { include_usage: true };
  const chunks = await collect(
    await set.openai.chat.completions.create({ model, messages, stream: true, stream_options: options }),
  );
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 1 } });
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
});

test("a tool named in the text is called with the arguments there, and its result is quoted next turn", async () => {
  const messages: Message[] = [{ role: "user", content: "use get_weather, city: Paris" }];
  const first = await set.openai.chat.completions.create({ model, messages, tools });
  const [call] = first.choices[0]!.message.tool_calls!;
  expect(call).toMatchObject({ function: { name: "get_weather", arguments: '{"city":"Paris"}' } });
  expect(first.choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: null } });
  const second = await set.openai.chat.completions.create({
    model,
    tools,
    messages: [
      ...messages,
      first.choices[0]!.message,
      { role: "tool", tool_call_id: call!.id, content: "21 °C" },
    ],
  });
  expect(second.choices[0]?.message.content).toBe("get_weather returned: 21 °C");
});

test("parallel calls stream in fragments by index, and only one comes when they are not allowed", async () => {
  const messages: Message[] = [{ role: "user", content: "get_weather and get_time in parallel" }];
  const stream = set.openai.chat.completions.stream({ model, messages, tools });
  const { choices } = await stream.finalChatCompletion();
  expect(choices[0]?.message.tool_calls?.map((call) => "function" in call && call.function.name)).toEqual([
    "get_weather",
    "get_time",
  ]);
  const one = await set.openai.chat.completions.create({
    model,
    messages,
    tools,
    parallel_tool_calls: false,
  });
  expect(one.choices[0]?.message.tool_calls).toHaveLength(1);
});

test("a forced tool choice is obeyed, and so is the choice of none", async () => {
  const messages: Message[] = [{ role: "user", content: "hi" }];
  const forced = await set.openai.chat.completions.create({
    model,
    messages,
    tools,
    tool_choice: { type: "function", function: { name: "get_time" } },
  });
  expect(forced.choices[0]?.message.tool_calls).toMatchObject([
    { function: { name: "get_time", arguments: "{}" } },
  ]);
  const none = await set.openai.chat.completions.create({
    model,
    messages: [{ role: "user", content: "get_time" }],
    tools,
    tool_choice: "none",
  });
  expect(none.choices[0]?.message.tool_calls).toBeUndefined();
});

test("arguments are an object even where the schema is empty", async () => {
  const bare: OpenAI.ChatCompletionTool = { type: "function", function: { name: "bare", parameters: {} } };
  const custom: OpenAI.ChatCompletionTool = { type: "custom", custom: { name: "free" } };
  const ask = async (content: string) => {
    const messages: Message[] = [{ role: "user", content }];
    const { choices } = await set.openai.chat.completions.create({ model, messages, tools: [bare, custom] });
    return choices[0]!.message.tool_calls;
  };
  expect(await ask("bare")).toMatchObject([{ function: { arguments: "{}" } }]);
  expect(await ask('[[call:free {"input":"just words"}]]')).toMatchObject([
    { custom: { input: "just words" } },
  ]);
  expect(await ask('[[call:free {"input":"just words"}]] [[length]]')).toMatchObject([
    { custom: { input: expect.any(String) } },
  ]);
});

test.each(["[[calls:many]]", "[[call:f [1]]]", "[[json:{]]"])(
  "the malformed directive %s is refused",
  async (content) => {
    const answer = await set.post("/v1/chat/completions", { model, messages: [{ role: "user", content }] });
    expect([answer.status, (await answer.json()).error.message]).toEqual([
      400,
      expect.stringContaining("directive"),
    ]);
  },
);

test("each step of a tool loop can be told what to do", async () => {
  const messages: Message[] = [
    {
      role: "user",
      content: '[[call:get_weather {"city":"A"}]] [[step]] [[call:get_time]] [[step]] [[text:done]]',
    },
  ];
  const names: string[] = [];
  for (let step = 0; step < 2; step++) {
    const { choices } = await set.openai.chat.completions.create({ model, messages, tools });
    const [call] = choices[0]!.message.tool_calls!;
    names.push(call!.type === "function" ? call!.function.name : "");
    messages.push(choices[0]!.message, { role: "tool", tool_call_id: call!.id, content: "ok" });
  }
  const last = await set.openai.chat.completions.create({ model, messages, tools });
  expect(names).toEqual(["get_weather", "get_time"]);
  expect(last.choices[0]?.message.content).toBe("done");
});

test("structured output satisfies its schema; json directives keep every character", async () => {
  const schema = { ...WEATHER, required: ["city", "unit"], additionalProperties: false };
  const answer = await set.openai.chat.completions.create({
    model,
    messages: [{ role: "user", content: "city: Oslo unit: F" }],
    response_format: { type: "json_schema", json_schema: { name: "weather", strict: true, schema } },
  });
  expect(JSON.parse(answer.choices[0]!.message.content!)).toEqual({ city: "Oslo", unit: "F" });
  const exact = await set.openai.chat.completions.create({
    model,
    messages: [{ role: "user", content: '[[json:{"n":9007199254740993,  "a":[[1.0]]}]]' }],
  });
  expect(exact.choices[0]?.message.content).toBe('{"n":9007199254740993,  "a":[[1.0]]}');
});

test("chatstyle obeys length and stop, refuses, and gives alternatives and log probabilities", async () => {
  const ask = async (content: string, rest: object = {}) =>
    (await set.openai.chat.completions.create({ model, messages: [{ role: "user", content }], ...rest }))
      .choices as OpenAI.ChatCompletion.Choice[];
  expect((await ask("a long enough text", { max_completion_tokens: 2 }))[0]).toMatchObject({
    finish_reason: "length",
    message: { content: "You said" },
  });
  expect((await ask("[[length]] something"))[0]?.finish_reason).toBe("length");
  expect((await ask("one STOP two", { stop: ["STOP"] }))[0]?.message.content).toBe("You said: one ");
  expect((await ask("[[refuse]]"))[0]?.message).toMatchObject({ content: null, refusal: expect.any(String) });
  expect((await ask("x", { n: 3 })).map((choice) => choice.message.content)).toEqual([
    "You said: x",
    "You said: x (2)",
    "You said: x (3)",
  ]);
  const [probable] = await ask("x", { logprobs: true });
  expect(probable?.logprobs?.content?.map((entry) => entry.token).join("")).toBe("You said: x");
});

test("embeddings are unit vectors, one for each input in order, and the same in base64", async () => {
  const many = await set.openai.embeddings.create({
    model: "sim-embed",
    input: ["a", "b"],
    encoding_format: "float",
  });
  expect(many.data.map((one) => one.index)).toEqual([0, 1]);
  expect(many.data[0]?.embedding).toHaveLength(8);
  expect(Math.hypot(...many.data[0]!.embedding)).toBeCloseTo(1, 6);
  const decoded = await set.openai.embeddings.create({ model: "sim-embed", input: "b" });
  expect(decoded.data[0]?.embedding).toEqual(many.data[1]?.embedding);
  expect(many.usage).toEqual({ prompt_tokens: 2, total_tokens: 2 });
  const wide = await set.openai.embeddings.create({
    model: "sim-embed",
    input: [[1, 2, 3]],
    dimensions: 256,
  });
  expect(wide.data[0]?.embedding).toHaveLength(256);
  expect(wide.usage.prompt_tokens).toBe(3);
});

test("embeddings take several kinds of input only where the model's name says so", async () => {
  const input = [
    {
      content: [
        { type: "text", text: "a" },
        { type: "image_url", image_url: { url: "https://x.test/a" } },
      ],
    },
  ];
  const ok = await set.post("/v1/embeddings", { model: "sim-embed-multimodal", input });
  expect(await ok.json()).toMatchObject({ data: [{ index: 0 }], usage: { prompt_tokens: 259 } });
  const no = await set.post("/v1/embeddings", { model: "sim-embed", input });
  expect([no.status, (await no.json()).error.param]).toEqual([400, "input[0]"]);
});

test("models are listed in the shape of the client", async () => {
  const ids = (await collect(await set.openai.models.list())).map((model) => model.id);
  expect(ids).toContain("sim-text");
  expect((await collect(await set.anthropic.models.list())).map((model) => model.id)).toEqual(ids);
  const pager = await set.google.models.list();
  expect((await collect(pager)).map((model) => model.name)).toEqual(ids.map((id) => `models/${id}`));
});
