import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Harness, KEY, startHarness } from "../gateway/harness.ts";
import {
  ANSWER_SCHEMA,
  CALL,
  expectChargeOfAborted,
  expectChargeOfBroken,
  MODELS,
  PNG,
  SLOW,
  TWO_CALLS,
  WEATHER,
} from "./shared.ts";

let h: Harness;
let client: OpenAI;
beforeAll(async () => {
  h = await startHarness();
  client = new OpenAI({ apiKey: KEY, baseURL: `${h.origin}/api/chatstyle/v1`, maxRetries: 0 });
});
afterAll(() => h.close());
beforeEach(() => h.simulator.reset());

type Message = OpenAI.Chat.ChatCompletionMessageParam;
const tools: OpenAI.Chat.ChatCompletionTool[] = [{ type: "function", function: WEATHER }];
const user = (content: string): Message => ({ role: "user", content });

/** One turn, whole or streamed and put together by the SDK. */
async function turn(
  stream: boolean,
  body: Omit<OpenAI.Chat.ChatCompletionCreateParamsNonStreaming, "stream">,
) {
  if (!stream) return client.chat.completions.create(body);
  const reply = await client.chat.completions
    .stream({ ...body, stream_options: { include_usage: true } })
    .finalChatCompletion();
  // The SDK's own additions, which are no part of the wire.
  for (const { message } of reply.choices) {
    delete (message as { parsed?: unknown }).parsed;
    for (const call of message.tool_calls ?? [])
      delete (call as { function: { parsed_arguments?: unknown } }).function.parsed_arguments;
  }
  return reply;
}

describe.each(MODELS)("chat completions on $protocol", ({ model, protocol }) => {
  describe.each([false, true])("streamed: %s", (stream) => {
    it("plain text, with system text and usage", async () => {
      const reply = await turn(stream, {
        model,
        messages: [{ role: "system", content: "Be brief." }, user("Hello, wörld 🌍 [[system]]")],
      });
      expect(reply.choices[0]?.message.content).toContain("You said: Hello, wörld 🌍");
      expect(reply.choices[0]?.message.content).toContain("Be brief.");
      expect(reply.choices[0]?.finish_reason).toBe("stop");
      const truth = h.simulator.ledger.last();
      expect(reply.usage).toMatchObject({
        prompt_tokens: truth?.usage.input,
        completion_tokens: truth?.usage.output,
        total_tokens: (truth?.usage.input ?? 0) + (truth?.usage.output ?? 0),
      });
    });

    it("tools, with the second turn", async () => {
      const messages = [user(`Weather please ${CALL}`)];
      const first = await turn(stream, { model, messages, tools });
      const [choice] = first.choices;
      expect(choice?.finish_reason).toBe("tool_calls");
      const [call] = choice?.message.tool_calls ?? [];
      if (call?.type !== "function") throw new Error("no function call");
      expect(call.function.name).toBe("get_weather");
      expect(JSON.parse(call.function.arguments)).toEqual({ city: "Paris", unit: "c" });
      const second = await turn(stream, {
        model,
        tools,
        messages: [
          ...messages,
          choice?.message as Message,
          { role: "tool", tool_call_id: call.id, content: "21 degrees" },
        ],
      });
      expect(second.choices[0]?.message.content).toContain("get_weather returned: 21 degrees");
      expect(second.choices[0]?.finish_reason).toBe("stop");
    });

    it("parallel tools, results in reverse order, a client that keeps only id, type and function", async () => {
      const messages = [user(`Both ${TWO_CALLS}`)];
      const first = await turn(stream, { model, messages, tools, reasoning_effort: "high" });
      const calls = first.choices[0]?.message.tool_calls ?? [];
      expect(calls.map((c) => c.type === "function" && JSON.parse(c.function.arguments).city)).toEqual([
        "Paris",
        "Oslo",
      ]);
      const kept = calls.flatMap((c) =>
        c.type === "function" ? [{ id: c.id, type: c.type, function: c.function }] : [],
      );
      const results = kept.map(
        (c): Message => ({ role: "tool", tool_call_id: c.id, content: `result of ${c.function.arguments}` }),
      );
      const second = await turn(stream, {
        model,
        tools,
        reasoning_effort: "high",
        messages: [...messages, { role: "assistant", content: null, tool_calls: kept }, ...results.reverse()],
      });
      expect(second.choices[0]?.message.content).toContain("Paris");
      expect(second.choices[0]?.message.content).toContain("Oslo");
    });

    it("reasoning, with a second turn that brings the upstream's own state back", async () => {
      const messages = [user(`Think ${CALL}`)];
      const ask = { model, tools, reasoning_effort: "medium" as const };
      const first = await turn(stream, { ...ask, messages });
      const message = first.choices[0]?.message as Message & {
        tool_calls: { id: string }[];
        reasoning_content?: string;
      };
      if (protocol === "chatstyle" || protocol === "msgstyle") expect(message.reasoning_content).toBeTruthy();
      const second = await turn(stream, {
        ...ask,
        messages: [
          ...messages,
          message,
          { role: "tool", tool_call_id: message.tool_calls[0]?.id ?? "", content: "ok" },
        ],
      });
      // The simulator checks seals as vendors do: a wrong or missing one is a 400.
      expect(second.choices[0]?.message.content).toContain("returned: ok");
      expect(second.choices[0]?.message.content).not.toContain("Thinking");
    });

    it("an image", async () => {
      const reply = await turn(stream, {
        model,
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "What is this?" },
              { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
            ],
          },
        ],
      });
      expect(reply.choices[0]?.message.content).toMatch(/I see 1 image \(image\/png/);
    });

    it("structured output", async () => {
      const reply = await turn(stream, {
        model,
        messages: [user("Who?")],
        response_format: {
          type: "json_schema",
          json_schema: { name: "person", schema: ANSWER_SCHEMA, strict: true },
        },
      });
      expect(JSON.parse(reply.choices[0]?.message.content ?? "")).toEqual({
        name: expect.any(String),
        age: expect.any(Number),
      });
    });
  });

  it.each([
    [400, OpenAI.BadRequestError],
    [401, OpenAI.AuthenticationError],
    [404, OpenAI.NotFoundError],
    [429, OpenAI.RateLimitError],
    [500, OpenAI.InternalServerError],
  ])("an upstream %i is the SDK's own error class", async (status, kind) => {
    const error = await client.chat.completions
      .create({ model, messages: [user(`[[fault:status=${status}]]`)] })
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(kind);
    expect((error as InstanceType<typeof OpenAI.APIError>).message.length).toBeGreaterThan(5);
  });

  it("a stream that fails midway raises, and is charged for what came", async () => {
    let said = "";
    const run = async (): Promise<void> => {
      const stream = await client.chat.completions.create({
        model,
        stream: true,
        messages: [user(`${"long ".repeat(50)}[[fault:error-after=3]]`)],
      });
      for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? "";
    };
    await expect(run()).rejects.toThrow();
    await expectChargeOfBroken(h, said);
  });

  it("a client that aborts midway is billed for what upstream generated", async () => {
    const before = (await h.balance()).balance;
    const stream = await client.chat.completions.create({ model, stream: true, messages: [user(SLOW)] });
    for await (const _ of stream) break;
    stream.controller.abort();
    await expectChargeOfAborted(h, before);
  });
});

describe.each(MODELS)("responses on $protocol", ({ model }) => {
  const tool: OpenAI.Responses.FunctionTool = { type: "function", ...WEATHER, strict: false };
  async function turn(
    stream: boolean,
    body: Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, "stream">,
  ) {
    if (!stream) return client.responses.create(body);
    const reply = await client.responses.stream(body as never).finalResponse();
    for (const item of reply.output) {
      delete (item as { parsed_arguments?: unknown }).parsed_arguments;
      if (item.type === "message")
        for (const part of item.content) delete (part as { parsed?: unknown }).parsed;
    }
    return reply;
  }

  describe.each([false, true])("streamed: %s", (stream) => {
    it("plain text with instructions and usage", async () => {
      const reply = await turn(stream, { model, instructions: "Be brief.", input: "Hello [[system]]" });
      expect(reply.status).toBe("completed");
      expect(reply.output_text).toContain("You said: Hello");
      expect(reply.output_text).toContain("Be brief.");
      const truth = h.simulator.ledger.last();
      expect(reply.usage).toMatchObject({
        input_tokens: truth?.usage.input,
        output_tokens: truth?.usage.output,
      });
    });

    it("parallel tools with the second turn, reasoning in between", async () => {
      const input: OpenAI.Responses.ResponseInput = [
        { role: "user", content: `Both ${TWO_CALLS} [[reason]]` },
      ];
      const ask = { model, tools: [tool], store: false, include: ["reasoning.encrypted_content" as const] };
      const first = await turn(stream, { ...ask, input });
      const calls = first.output.flatMap((item) => (item.type === "function_call" ? [item] : []));
      expect(calls.map((call) => JSON.parse(call.arguments).city)).toEqual(["Paris", "Oslo"]);
      const results = calls.map((call) => ({
        type: "function_call_output" as const,
        call_id: call.call_id,
        output: `answer for ${call.arguments}`,
      }));
      const second = await turn(stream, {
        ...ask,
        input: [...input, ...(first.output as never[]), ...results],
      });
      expect(second.output_text).toContain("Paris");
      expect(second.output_text).toContain("Oslo");
    });

    it("an image and structured output", async () => {
      const reply = await turn(stream, {
        model,
        input: [
          {
            role: "user",
            content: [
              { type: "input_text", text: "Who?" },
              { type: "input_image", image_url: `data:image/png;base64,${PNG}`, detail: "auto" },
            ],
          },
        ],
        text: { format: { type: "json_schema", name: "person", schema: ANSWER_SCHEMA, strict: true } },
      });
      expect(JSON.parse(reply.output_text)).toEqual({ name: expect.any(String), age: expect.any(Number) });
    });
  });

  it("an upstream error is the SDK's own error class", async () => {
    const call = client.responses.create({ model, input: "[[fault:status=429]]" });
    await expect(call).rejects.toBeInstanceOf(OpenAI.RateLimitError);
  });

  it("a client that aborts midway is billed for what upstream generated", async () => {
    const before = (await h.balance()).balance;
    const stream = await client.responses.create({ model, stream: true, input: SLOW });
    for await (const _ of stream) break;
    stream.controller.abort();
    await expectChargeOfAborted(h, before);
  });
});

describe("beside generation", () => {
  it("lists and reads models", async () => {
    const ids: string[] = [];
    for await (const entry of client.models.list()) ids.push(entry.id);
    expect(ids).toEqual(expect.arrayContaining(MODELS.map(({ model }) => model)));
    expect((await client.models.retrieve("sim-msgstyle")).id).toBe("sim-msgstyle");
    await expect(client.models.retrieve("nothing")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  it("shows the text of the service's own errors", async () => {
    const call = client.chat.completions.create({ model: "nothing", messages: [user("hi")] });
    await expect(call).rejects.toThrow(/'nothing' is not a model/);
    const wrong = new OpenAI({ apiKey: "wrong", baseURL: client.baseURL, maxRetries: 0 });
    await expect(wrong.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });
});
