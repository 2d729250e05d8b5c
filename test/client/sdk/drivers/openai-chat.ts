import OpenAI from "openai";
import { type Ask, type Driver, PERSON, type Send, thrownBy, WEATHER } from "../driver.ts";

/** Clients that try once, so that what fails is seen. */
export const openai = (send: Send): OpenAI => new OpenAI({ fetch: send, apiKey: "unused", maxRetries: 0 });

export const thrown: Driver["thrown"] = (error) => thrownBy(error, [OpenAI.OpenAIError], (own) => own.status);

type Message = OpenAI.Chat.ChatCompletionMessageParam;

async function turn({ send, model, stream, signal, onText, ...ask }: Ask, messages: Message[]) {
  const body = {
    model,
    messages,
    ...(ask.tools && { tools: [{ type: "function" as const, function: WEATHER }] }),
    ...(ask.format && {
      response_format: {
        type: "json_schema" as const,
        json_schema: { name: "person", schema: PERSON, strict: true },
      },
    }),
    ...(ask.reasons && { reasoning_effort: "medium" as const }),
  };
  const { completions } = openai(send).chat;
  if (!stream) return completions.create(body, { signal });
  const run = completions.stream({ ...body, stream_options: { include_usage: true } }, { signal });
  if (onText) run.on("content", onText);
  const reply = await run.finalChatCompletion();
  // The SDK's own additions, which are no part of the wire.
  for (const { message } of reply.choices) {
    delete (message as { parsed?: unknown }).parsed;
    for (const call of message.tool_calls ?? [])
      delete (call as { function: { parsed_arguments?: unknown } }).function.parsed_arguments;
  }
  return reply;
}

export const openaiChat: Driver = {
  name: "openai, chat completions",
  wire: "chatstyle",
  thrown,
  open(ask) {
    const messages: Message[] = [];
    const next = async (...more: Message[]) => {
      messages.push(...more);
      const { choices, usage } = await turn(ask, messages);
      const message = choices[0]?.message;
      if (!message) throw new Error("no message");
      messages.push(message as Message);
      return {
        text: message.content ?? "",
        calls: (message.tool_calls ?? []).flatMap((call) =>
          call.type === "function"
            ? [{ id: call.id, name: call.function.name, args: JSON.parse(call.function.arguments) }]
            : [],
        ),
        usage: { input: usage?.prompt_tokens, output: usage?.completion_tokens },
      };
    };
    return {
      say: (text, image) =>
        next({
          role: "user",
          content: image
            ? [
                { type: "text", text },
                { type: "image_url", image_url: { url: `data:image/png;base64,${image}` } },
              ]
            : text,
        }),
      result: (calls, text) =>
        next(...calls.map(({ id }): Message => ({ role: "tool", tool_call_id: id, content: text }))),
    };
  },
  async embed({ send, model, texts }) {
    const { data } = await openai(send).embeddings.create({ model, input: texts });
    return data.map(({ embedding }) => embedding);
  },
  async draw({ send, model, prompt }) {
    const { data } = await openai(send).images.generate({ model, prompt });
    return data?.[0]?.b64_json;
  },
};
