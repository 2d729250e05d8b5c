import { HTTPClient, OpenRouter } from "@openrouter/sdk";
import type { ChatMessages, ChatRequest, ChatStreamChunk } from "@openrouter/sdk/models";
import * as errors from "@openrouter/sdk/models/errors";
import { type Ask, type Driver, PERSON, type Send, thrownBy, WEATHER } from "../driver.ts";
import { type Piece, wholeCalls } from "../pieces.ts";

const openrouterOf = (send: Send): OpenRouter =>
  new OpenRouter({
    apiKey: "unused",
    httpClient: new HTTPClient({ fetcher: send }),
    retryConfig: { strategy: "none" },
  });

const usage = "its stream takes no usage that is null";
const members = "its requests have members that only its vendor knows";

type Assistant = Extract<ChatMessages, { role: "assistant" }>;
type Usage = ChatStreamChunk["usage"];

async function turn(
  { send, model, stream, signal, onText, ...ask }: Ask,
  messages: ChatMessages[],
): Promise<{ message: Assistant; usage: Usage }> {
  const chatRequest: ChatRequest = {
    model,
    messages,
    ...(ask.tools && { tools: [{ type: "function" as const, function: WEATHER }] }),
    ...(ask.format && {
      responseFormat: {
        type: "json_schema" as const,
        jsonSchema: { name: "person", schema: PERSON, strict: true },
      },
    }),
    ...(ask.reasons && { reasoning: { effort: "medium" as const } }),
  };
  const { chat } = openrouterOf(send);
  const options = { fetchOptions: { ...(signal && { signal }) } };
  if (!stream) {
    const reply = await chat.send({ chatRequest: { ...chatRequest, stream: false } }, options);
    if (!("choices" in reply) || !reply.choices[0]) throw new Error("no choice");
    return { message: reply.choices[0].message, usage: reply.usage };
  }
  let content = "";
  const details: NonNullable<Assistant["reasoningDetails"]> = [];
  const pieces: Piece[] = [];
  let usage: Usage;
  const streamed = { ...chatRequest, stream: true as const, streamOptions: { includeUsage: true } };
  const chunks = await chat.send({ chatRequest: streamed }, options);
  for await (const chunk of chunks as AsyncIterable<ChatStreamChunk>) {
    if (chunk.error) throw new Error(chunk.error.message);
    const delta = chunk.choices[0]?.delta;
    content += delta?.content ?? "";
    if (delta?.content) onText?.(delta.content);
    details.push(...(delta?.reasoningDetails ?? []));
    for (const { index, id, function: called } of delta?.toolCalls ?? [])
      pieces.push({ index, id, name: called?.name, args: called?.arguments });
    usage = chunk.usage ?? usage;
  }
  const toolCalls = wholeCalls(pieces).map(({ id, name, args }) => ({
    id,
    type: "function" as const,
    function: { name, arguments: JSON.stringify(args) },
  }));
  const message: Assistant = {
    role: "assistant",
    content,
    ...(details.length > 0 && { reasoningDetails: details }),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
  return { message, usage };
}

export const openrouter: Driver = {
  name: "@openrouter/sdk",
  wire: "chatstyle",
  // It has no class for an error in a stream, and finds no chunk in it.
  cut: "ZodError",
  lacksAtHome: {
    ...{ stream: usage, cut: usage, "streamed tools": usage, "streamed abort": usage },
    ...{ reasoning: members, "streamed reasoning": members },
  },
  thrown(error) {
    const thrown = thrownBy(
      error,
      [errors.OpenRouterError, errors.HTTPClientError, errors.SDKValidationError],
      (own) => own.statusCode,
    );
    // It has the words of errors whose code is no number only in their body.
    return error instanceof errors.OpenRouterError ? { ...thrown, message: error.body } : thrown;
  },
  open(ask) {
    const messages: ChatMessages[] = [];
    const next = async (...more: ChatMessages[]) => {
      messages.push(...more);
      const { message, usage } = await turn(ask, messages);
      messages.push(message);
      return {
        text: typeof message.content === "string" ? message.content : "",
        calls: (message.toolCalls ?? []).map(({ id, function: called }) => ({
          id,
          name: called.name,
          args: JSON.parse(called.arguments),
        })),
        usage: { input: usage?.promptTokens, output: usage?.completionTokens },
      };
    };
    return {
      say: (text, image) =>
        next({
          role: "user",
          content: image
            ? [
                { type: "text", text },
                { type: "image_url", imageUrl: { url: `data:image/png;base64,${image}` } },
              ]
            : text,
        }),
      result: (calls, text) =>
        next(...calls.map(({ id }) => ({ role: "tool" as const, toolCallId: id, content: text }))),
    };
  },
  async embed({ send, model, texts }) {
    const reply = await openrouterOf(send).embeddings.generate({ requestBody: { model, input: texts } });
    if (typeof reply === "string") return [];
    return reply.data.map(({ embedding }) => (typeof embedding === "string" ? [] : embedding));
  },
};
