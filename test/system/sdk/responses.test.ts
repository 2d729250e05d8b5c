import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { ANSWER_SCHEMA, expectChargeOfAborted, MODELS, PNG, SLOW, TWO_CALLS, WEATHER } from "./shared.ts";
import { stage } from "./stage.ts";

const set = stage({ listens: false });

describe.each(MODELS)("responses on $protocol", ({ model }) => {
  const tool: OpenAI.Responses.FunctionTool = { type: "function", ...WEATHER, strict: false };
  async function turn(
    stream: boolean,
    body: Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, "stream">,
  ) {
    if (!stream) return set.chatstyle.responses.create(body);
    const reply = await set.chatstyle.responses.stream(body as never).finalResponse();
    for (const item of reply.output) {
      delete (item as { parsed_arguments?: unknown }).parsed_arguments;
      if (item.type === "message")
        for (const part of item.content) delete (part as { parsed?: unknown }).parsed;
    }
    return reply;
  }

  describe.each([false, true])("generation, streamed: %s", (stream) => {
    it("the responses SDK gets plain text with instructions and usage", async () => {
      const reply = await turn(stream, { model, instructions: "Be brief.", input: "Hello [[system]]" });
      expect(reply.status).toBe("completed");
      expect(reply.output_text).toContain("You said: Hello");
      expect(reply.output_text).toContain("Be brief.");
      const truth = set.h.simulator.ledger.last();
      expect(reply.usage).toMatchObject({
        input_tokens: truth?.usage.input,
        output_tokens: truth?.usage.output,
      });
    });

    it("parallel tools work with the second turn, reasoning in between", async () => {
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

    it("the responses SDK sends an image and gets structured output", async () => {
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
    const call = set.chatstyle.responses.create({ model, input: "[[fault:status=429]]" });
    await expect(call).rejects.toBeInstanceOf(OpenAI.RateLimitError);
  });

  it("a client that aborts midway is billed for what upstream generated", async () => {
    const before = (await set.h.balance()).balance;
    const stream = await set.chatstyle.responses.create({ model, stream: true, input: SLOW });
    for await (const _ of stream) break;
    stream.controller.abort();
    await expectChargeOfAborted(set.h, before);
  });
});
