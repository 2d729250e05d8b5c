import type OpenAI from "openai";
import { expect, test } from "vitest";
import { collect, stage, WEATHER } from "./setup.ts";

const set = stage();
const model = "sim-text";
type Input = OpenAI.Responses.ResponseInputItem;
const tools: OpenAI.Responses.Tool[] = [
  { type: "function", name: "get_weather", parameters: WEATHER, strict: false },
  { type: "function", name: "get_time", parameters: null, strict: false },
];

test("responses answers a string, and a stream ends in the same response", async () => {
  const body = { model, input: "héllo 🌍", instructions: "Be brief." };
  const unary = await set.openai.responses.create(body);
  expect(unary.output_text).toBe("You said: héllo 🌍");
  const streamed = await set.openai.responses.stream(body).finalResponse();
  expect(streamed.output_text).toBe(unary.output_text);
  expect(streamed.usage).toEqual(unary.usage);
  expect(streamed.status).toBe("completed");
});

test("events follow the grammar: counted without gaps, items opened and closed with one id", async () => {
  const stream = await set.openai.responses.create({
    model,
    input: "get_weather city: Rome",
    tools,
    reasoning: { effort: "low", summary: "auto" },
    stream: true,
  });
  const events = await collect(stream);
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  expect(events.slice(0, 2).map((event) => event.type)).toEqual(["response.created", "response.in_progress"]);
  expect(events.at(-1)?.type).toBe("response.completed");
  const added = events.flatMap((event) =>
    event.type === "response.output_item.added" ? [event.item.id] : [],
  );
  const done = events.flatMap((event) => (event.type === "response.output_item.done" ? [event.item.id] : []));
  expect(done).toEqual(added);
  const last = events.at(-1);
  const output = last?.type === "response.completed" ? last.response.output : [];
  expect(output.map((item) => [item.id, item.type])).toEqual([
    [added[0], "reasoning"],
    [added[1], "function_call"],
  ]);
  const args = events.flatMap((event) =>
    event.type === "response.function_call_arguments.delta" ? [event.delta] : [],
  );
  expect(args.length).toBeGreaterThan(1);
  expect(JSON.parse(args.join(""))).toEqual({ city: "Rome" });
});

test("two turns work with parallel calls, reasoning sealed and replayed", async () => {
  const input: Input[] = [{ role: "user", content: "get_weather and get_time" }];
  const rest = {
    model,
    tools,
    store: false,
    reasoning: { effort: "low" as const },
    include: ["reasoning.encrypted_content" as const],
  };
  const first = await set.openai.responses.create({ ...rest, input });
  expect(first.output.map((item) => item.type)).toEqual(["reasoning", "function_call", "function_call"]);
  const calls = first.output.filter((item) => item.type === "function_call");
  const outputs: Input[] = calls.map(({ call_id, name }) => ({
    type: "function_call_output",
    call_id,
    output: `${name} is fine`,
  }));
  const second = await set.openai.responses.create({
    ...rest,
    input: [...input, ...(first.output as Input[]), ...outputs],
  });
  expect(second.output_text).toBe(
    "get_weather returned: get_weather is fine\nget_time returned: get_time is fine",
  );

  const foreign = first.output.map((item) =>
    item.type === "reasoning" ? { ...item, encrypted_content: "gAAAAforeign" } : item,
  );
  await expect(
    set.openai.responses.create({ ...rest, input: [...input, ...(foreign as Input[]), ...outputs] }),
  ).rejects.toMatchObject({ status: 400, code: "invalid_encrypted_content" });

  const forgotten = first.output.filter((item) => item.type !== "reasoning");
  await expect(
    set.openai.responses.create({ ...rest, input: [...input, ...(forgotten as Input[]), ...outputs] }),
  ).rejects.toThrow(/without its required 'reasoning' item/);
});

test("a stored response can be continued by its id, one that was not stored cannot", async () => {
  const first = await set.openai.responses.create({ model, input: "get_time", tools });
  const [call] = first.output;
  const output: Input = {
    type: "function_call_output",
    call_id: call?.type === "function_call" ? call.call_id : "",
    output: "noon",
  };
  const second = await set.openai.responses.create({
    model,
    tools,
    input: [output],
    previous_response_id: first.id,
  });
  expect(second.output_text).toBe("get_time returned: noon");
  const unstored = await set.openai.responses.create({ model, input: "hi", store: false });
  await expect(
    set.openai.responses.create({ model, input: "more", previous_response_id: unstored.id }),
  ).rejects.toMatchObject({ status: 400, code: "previous_response_not_found" });
});

test("structured output, the output limit and refusals work", async () => {
  const answer = await set.openai.responses.create({
    model,
    input: "city: Bern",
    text: { format: { type: "json_schema", name: "weather", schema: WEATHER } },
  });
  expect(JSON.parse(answer.output_text)).toEqual({ city: "Bern", unit: "C" });
  const short = await set.openai.responses.create({ model, input: "x".repeat(200), max_output_tokens: 16 });
  expect(short).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
  expect(short.usage?.output_tokens).toBe(16);
  const refused = await set.openai.responses.stream({ model, input: "[[refuse]]" }).finalResponse();
  expect(refused.output[0]).toMatchObject({ content: [{ type: "refusal" }] });
});
