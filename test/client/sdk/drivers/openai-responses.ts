import type OpenAI from "openai";
import { type Ask, type Driver, PERSON, WEATHER } from "../driver.ts";
import { openai, thrown } from "./openai-chat.ts";

type Input = OpenAI.Responses.ResponseInput;

async function turn({ send, model, stream, signal, onText, ...ask }: Ask, input: Input) {
  const body = {
    model,
    input,
    store: false,
    include: ["reasoning.encrypted_content" as const],
    ...(ask.tools && { tools: [{ type: "function" as const, ...WEATHER, strict: true }] }),
    ...(ask.format && {
      text: { format: { type: "json_schema" as const, name: "person", schema: PERSON, strict: true } },
    }),
    ...(ask.reasons && { reasoning: { effort: "medium" as const } }),
  };
  const { responses } = openai(send);
  if (!stream) return responses.create(body, { signal });
  const run = responses.stream(body, { signal });
  run.on("response.output_text.delta", ({ delta }) => onText?.(delta));
  return run.finalResponse();
}

export const openaiResponses: Driver = {
  name: "openai, responses",
  wire: "responses",
  thrown,
  open(ask) {
    const input: Input = [];
    const next = async (...more: Input) => {
      input.push(...more);
      const reply = await turn(ask, input);
      // The SDK's own additions, which are no part of the wire.
      for (const item of reply.output) {
        delete (item as { parsed_arguments?: unknown }).parsed_arguments;
        if (item.type === "message")
          for (const part of item.content) delete (part as { parsed?: unknown }).parsed;
      }
      input.push(...(reply.output as Input));
      return {
        text: reply.output_text,
        calls: reply.output.flatMap((item) =>
          item.type === "function_call"
            ? [{ id: item.call_id, name: item.name, args: JSON.parse(item.arguments) }]
            : [],
        ),
        usage: { input: reply.usage?.input_tokens, output: reply.usage?.output_tokens },
      };
    };
    return {
      say: (text, image) =>
        next({
          role: "user",
          content: [
            { type: "input_text", text },
            ...(image
              ? [
                  {
                    type: "input_image" as const,
                    image_url: `data:image/png;base64,${image}`,
                    detail: "auto" as const,
                  },
                ]
              : []),
          ],
        }),
      result: (calls, text) =>
        next(
          ...calls.map(({ id }) => ({ type: "function_call_output" as const, call_id: id, output: text })),
        ),
    };
  },
};
