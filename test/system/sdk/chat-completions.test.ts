import OpenAI from "openai";
import { describe, expect, it } from "vitest";
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
import { clientsOf, stage } from "./stage.ts";

const set = stage();

type Message = OpenAI.Chat.ChatCompletionMessageParam;
const tools: OpenAI.Chat.ChatCompletionTool[] = [{ type: "function", function: WEATHER }];
const user = (content: string): Message => ({ role: "user", content });

/** One turn, whole or streamed and put together by the SDK. */
async function turn(
  stream: boolean,
  body: Omit<OpenAI.Chat.ChatCompletionCreateParamsNonStreaming, "stream">,
) {
  if (!stream) return set.chatstyle.chat.completions.create(body);
  const reply = await set.chatstyle.chat.completions
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
  describe.each([false, true])("generation, streamed: %s", (stream) => {
    it("the chat SDK gets plain text, with system text and usage", async () => {
      const reply = await turn(stream, {
        model,
        messages: [{ role: "system", content: "Be brief." }, user("Hello, wörld 🌍 [[system]]")],
      });
      expect(reply.choices[0]?.message.content).toContain("You said: Hello, wörld 🌍");
      expect(reply.choices[0]?.message.content).toContain("Be brief.");
      expect(reply.choices[0]?.finish_reason).toBe("stop");
      const truth = set.h.simulator.ledger.last();
      expect(reply.usage).toMatchObject({
        prompt_tokens: truth?.usage.input,
        completion_tokens: truth?.usage.output,
        total_tokens: (truth?.usage.input ?? 0) + (truth?.usage.output ?? 0),
      });
    });

    it("the chat SDK calls tools, with the second turn", async () => {
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

    it("parallel tools work with results in reverse order, by a client that keeps only id, type and function", async () => {
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

    it("the chat SDK gets reasoning, with a second turn that returns the upstream's own state", async () => {
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

    it("the chat SDK sends an image", async () => {
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

    it("the chat SDK gets structured output", async () => {
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
    const error = await set.chatstyle.chat.completions
      .create({ model, messages: [user(`[[fault:status=${status}]]`)] })
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(kind);
    expect((error as InstanceType<typeof OpenAI.APIError>).message.length).toBeGreaterThan(5);
  });

  it("a stream that fails midway raises, and is charged for what came", async () => {
    let said = "";
    const run = async (): Promise<void> => {
      const stream = await set.chatstyle.chat.completions.create({
        model,
        stream: true,
        messages: [user(`${"long ".repeat(50)}[[fault:error-after=3]]`)],
      });
      for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? "";
    };
    await expect(run()).rejects.toThrow();
    await expectChargeOfBroken(set.h, said);
  });

  it("a client that aborts midway is billed for what upstream generated", async () => {
    const before = (await set.h.balance()).balance;
    const stream = await set.chatstyle.chat.completions.create({
      model,
      stream: true,
      messages: [user(SLOW)],
    });
    for await (const _ of stream) break;
    stream.controller.abort();
    await expectChargeOfAborted(set.h, before);
  });
});

describe("the other routes of the chat SDK", () => {
  it("the chat SDK lists and reads models", async () => {
    const ids: string[] = [];
    for await (const entry of set.chatstyle.models.list()) ids.push(entry.id);
    expect(ids).toEqual(expect.arrayContaining(MODELS.map(({ model }) => model)));
    expect((await set.chatstyle.models.retrieve("sim-msgstyle")).id).toBe("sim-msgstyle");
    await expect(set.chatstyle.models.retrieve("nothing")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  it("the chat SDK shows the text of the service's own errors", async () => {
    const call = set.chatstyle.chat.completions.create({ model: "nothing", messages: [user("hi")] });
    await expect(call).rejects.toThrow(/'nothing' is not a model/);
    const wrong = clientsOf(set.h.origin, "wrong").chatstyle;
    await expect(wrong.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });
});
