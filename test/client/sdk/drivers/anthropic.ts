import Anthropic from "@anthropic-ai/sdk";
import { type Ask, type Driver, PERSON, thrownBy, WEATHER } from "../driver.ts";

type Message = Anthropic.MessageParam;

async function turn({ send, model, stream, signal, onText, ...ask }: Ask, messages: Message[]) {
  const { name, description, parameters } = WEATHER;
  const body = {
    model,
    max_tokens: 4_096,
    messages,
    ...(ask.tools && { tools: [{ name, description, input_schema: parameters }] }),
    ...(ask.format && { output_config: { format: { type: "json_schema" as const, schema: PERSON } } }),
    ...(ask.reasons && { thinking: { type: "enabled" as const, budget_tokens: 2_048 } }),
  };
  const client = new Anthropic({ fetch: send, apiKey: "unused", maxRetries: 0 });
  if (!stream) return client.messages.create(body, { signal });
  const run = client.messages.stream(body, { signal });
  if (onText) run.on("text", onText);
  return run.finalMessage();
}

export const anthropic: Driver = {
  name: "@anthropic-ai/sdk",
  wire: "msgstyle",
  thrown: (error) => thrownBy(error, [Anthropic.AnthropicError], (own) => own.status),
  open(ask) {
    const messages: Message[] = [];
    const next = async (content: Anthropic.ContentBlockParam[]) => {
      messages.push({ role: "user", content });
      const reply = await turn(ask, messages);
      messages.push({ role: "assistant", content: reply.content as Anthropic.ContentBlockParam[] });
      const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } =
        reply.usage;
      return {
        text: reply.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
        calls: reply.content.flatMap((block) =>
          block.type === "tool_use" ? [{ id: block.id, name: block.name, args: block.input }] : [],
        ),
        usage: {
          input: input_tokens + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0),
          output: output_tokens,
        },
      };
    };
    return {
      say: (text, image) =>
        next([
          { type: "text", text },
          ...(image
            ? [
                {
                  type: "image" as const,
                  source: { type: "base64" as const, media_type: "image/png" as const, data: image },
                },
              ]
            : []),
        ]),
      result: (calls, text) =>
        next(calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: text }))),
    };
  },
};
