import Anthropic from "@anthropic-ai/sdk";
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
import { stage } from "./stage.ts";

const set = stage({ listens: false });

type Params = Omit<Anthropic.MessageCreateParamsNonStreaming, "stream" | "max_tokens">;
const tools = [
  { name: WEATHER.name, description: WEATHER.description, input_schema: WEATHER.parameters },
] as Anthropic.Tool[];
const user = (content: string): Anthropic.MessageParam => ({ role: "user", content });

/** One turn, whole or streamed and put together by the SDK. */
async function turn(stream: boolean, body: Params): Promise<Anthropic.Message> {
  const params = { max_tokens: 4_096, ...body };
  return stream ? set.msgstyle.messages.stream(params).finalMessage() : set.msgstyle.messages.create(params);
}
const textOf = (message: Anthropic.Message): string =>
  message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
const callsOf = (message: Anthropic.Message) => message.content.filter((block) => block.type === "tool_use");

describe.each(MODELS)("messages on $protocol", ({ model }) => {
  describe.each([false, true])("generation, streamed: %s", (stream) => {
    it("the messages SDK gets plain text, with system text and usage", async () => {
      const reply = await turn(stream, {
        model,
        system: "Be brief.",
        messages: [user("Hello, wörld 🌍 [[system]]")],
      });
      expect(textOf(reply)).toContain("You said: Hello, wörld 🌍");
      expect(textOf(reply)).toContain("Be brief.");
      expect(reply).toMatchObject({
        type: "message",
        role: "assistant",
        stop_reason: "end_turn",
        stop_sequence: null,
      });
      const truth = set.h.simulator.ledger.last();
      const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } =
        reply.usage;
      expect(input_tokens + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0)).toBe(
        truth?.usage.input,
      );
      expect(output_tokens).toBe(truth?.usage.output);
    });

    it("the messages SDK calls tools, with the second turn, a failed result among them", async () => {
      const messages = [user(`Weather please ${CALL}`)];
      const first = await turn(stream, { model, messages, tools });
      expect(first.stop_reason).toBe("tool_use");
      const [call] = callsOf(first);
      expect(call).toMatchObject({ name: "get_weather", input: { city: "Paris", unit: "c" } });
      const second = await turn(stream, {
        model,
        tools,
        messages: [
          ...messages,
          { role: "assistant", content: first.content as Anthropic.ContentBlockParam[] },
          {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: call?.id ?? "", content: "no such city", is_error: true },
            ],
          },
        ],
      });
      expect(textOf(second)).toContain("no such city");
      expect(second.stop_reason).toBe("end_turn");
    });

    it("parallel tools work with reasoning, and a second turn that returns the upstream's own state", async () => {
      const messages = [user(`Both ${TWO_CALLS} [[reason]]`)];
      const ask = { model, tools, thinking: { type: "enabled" as const, budget_tokens: 2_048 } };
      const first = await turn(stream, { ...ask, messages });
      const calls = callsOf(first);
      expect(calls.map((call) => (call.input as { city: string }).city)).toEqual(["Paris", "Oslo"]);
      const second = await turn(stream, {
        ...ask,
        messages: [
          ...messages,
          { role: "assistant", content: first.content as Anthropic.ContentBlockParam[] },
          {
            role: "user",
            content: calls.map((call) => ({
              type: "tool_result" as const,
              tool_use_id: call.id,
              content: [{ type: "text" as const, text: `sunny in ${(call.input as { city: string }).city}` }],
            })),
          },
        ],
      });
      expect(textOf(second)).toContain("sunny in Paris");
      expect(textOf(second)).toContain("sunny in Oslo");
    });

    it("the messages SDK sends an image, also inside a tool result", async () => {
      const image: Anthropic.ImageBlockParam = {
        type: "image",
        source: { type: "base64", media_type: "image/png", data: PNG },
      };
      const reply = await turn(stream, {
        model,
        tools,
        messages: [
          { role: "user", content: [{ type: "text", text: "What is this?" }, image] },
          {
            role: "assistant",
            content: [{ type: "tool_use", id: "toolu_1", name: "get_weather", input: { city: "x" } }],
          },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: [image] }] },
        ],
      });
      expect(textOf(reply)).toMatch(/image\/png/);
    });

    it("the messages SDK gets structured output", async () => {
      const reply = await turn(stream, {
        model,
        messages: [user("Who?")],
        output_config: { format: { type: "json_schema", schema: ANSWER_SCHEMA } },
      });
      expect(JSON.parse(textOf(reply))).toEqual({ name: expect.any(String), age: expect.any(Number) });
    });
  });

  it.each([
    [400, Anthropic.BadRequestError],
    [401, Anthropic.AuthenticationError],
    [404, Anthropic.NotFoundError],
    [429, Anthropic.RateLimitError],
    [500, Anthropic.InternalServerError],
  ])("an upstream %i is the SDK's own error class", async (status, kind) => {
    const call = set.msgstyle.messages.create({
      model,
      max_tokens: 100,
      messages: [user(`[[fault:status=${status}]]`)],
    });
    await expect(call).rejects.toBeInstanceOf(kind);
  });

  it("a stream that is cut midway does not look finished", async () => {
    let said = "";
    const run = set.msgstyle.messages
      .stream({ model, max_tokens: 4_096, messages: [user(`${"long ".repeat(50)}[[fault:cut=2500]]`)] })
      .on("text", (text) => {
        said += text;
      })
      .finalMessage();
    await expect(run).rejects.toThrow();
    await expectChargeOfBroken(set.h, said);
  });

  it("a client that aborts midway is billed for what upstream generated", async () => {
    const before = (await set.h.balance()).balance;
    const stream = await set.msgstyle.messages.create({
      model,
      max_tokens: 4_096,
      stream: true,
      messages: [user(SLOW)],
    });
    for await (const _ of stream) break;
    stream.controller.abort();
    await expectChargeOfAborted(set.h, before);
  });

  it("the messages SDK counts tokens", async () => {
    const { input_tokens } = await set.msgstyle.messages.countTokens({
      model,
      messages: [user("Hello there, how are you?")],
    });
    expect(input_tokens).toBeGreaterThan(3);
    expect(input_tokens).toBeLessThan(200);
  });
});

describe("the other routes of the messages SDK", () => {
  it("the messages SDK lists and reads models", async () => {
    const ids: string[] = [];
    for await (const entry of set.msgstyle.models.list()) ids.push(entry.id);
    expect(ids).toEqual(expect.arrayContaining(MODELS.map(({ model }) => model)));
    expect((await set.msgstyle.models.retrieve("sim-chatstyle")).id).toBe("sim-chatstyle");
  });

  it("system messages at any position are accepted for every model", async () => {
    for (const { model } of MODELS) {
      const messages = [
        user("first"),
        { role: "assistant", content: "ok" },
        { role: "system", content: "Speak French." },
        user("[[system]]"),
      ];
      const reply = await set.msgstyle.messages.create({
        model,
        max_tokens: 500,
        messages: messages as Anthropic.MessageParam[],
      });
      expect(textOf(reply)).toContain("Speak French.");
    }
  });
});
