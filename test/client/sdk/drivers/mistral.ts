import { HTTPClient, Mistral } from "@mistralai/mistralai";
import type { ChatCompletionRequest, ToolCall } from "@mistralai/mistralai/models/components";
import * as errors from "@mistralai/mistralai/models/errors";
import { type Ask, type Driver, PERSON, type Send, thrownBy, WEATHER } from "../driver.ts";
import { type Piece, wholeCalls } from "../pieces.ts";

const mistralOf = (send: Send): Mistral =>
  new Mistral({ apiKey: "unused", httpClient: new HTTPClient({ fetcher: send }) });

const calls = "its stream takes calls only in one piece";
const usage = "its stream takes no usage that is null";
const members = "its requests have members that only its vendor knows";

type Message = ChatCompletionRequest["messages"][number];

const textOf = (content: unknown): string => {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((chunk: { type?: string; text?: string }) => (chunk.type === "text" ? (chunk.text ?? "") : ""))
    .join("");
};

const pieceOf = ({ index, id, function: { name, arguments: args } }: ToolCall): Piece => ({
  index: index ?? 0,
  // What stands for a missing id.
  id: id === "null" ? undefined : id,
  name,
  args: typeof args === "string" ? args : JSON.stringify(args),
});

async function turn({ send, model, stream, signal, onText, ...ask }: Ask, messages: Message[]) {
  const body: ChatCompletionRequest = {
    model,
    messages,
    ...(ask.tools && { tools: [{ type: "function" as const, function: WEATHER }] }),
    ...(ask.format && {
      responseFormat: {
        type: "json_schema" as const,
        jsonSchema: { name: "person", schemaDefinition: PERSON, strict: true },
      },
    }),
    ...(ask.reasons && { reasoningEffort: "high" as const }),
  };
  const { chat } = mistralOf(send);
  const options = { fetchOptions: { ...(signal && { signal }) } };
  if (!stream) {
    const { choices, usage } = await chat.complete({ ...body, stream: false }, options);
    const message = choices[0]?.message;
    const pieces = (message?.toolCalls ?? []).map((call, index) => pieceOf({ ...call, index }));
    return { content: message?.content, pieces, usage };
  }
  const contents: unknown[] = [];
  const pieces: Piece[] = [];
  let usage: { promptTokens?: number | undefined; completionTokens?: number | undefined } | undefined;
  for await (const { data } of await chat.stream(body, options)) {
    const delta = data.choices[0]?.delta;
    if (delta?.content) {
      contents.push(delta.content);
      if (textOf(delta.content)) onText?.(textOf(delta.content));
    }
    pieces.push(...(delta?.toolCalls ?? []).map(pieceOf));
    usage = data.usage ?? usage;
  }
  const chunks = contents.flatMap((content) =>
    typeof content === "string" ? [{ type: "text" as const, text: content }] : (content as never[]),
  );
  return { content: chunks.every(({ type }) => type === "text") ? textOf(chunks) : chunks, pieces, usage };
}

export const mistral: Driver = {
  name: "@mistralai/mistralai",
  wire: "chatstyle",
  // It has no class for an error in a stream, and finds no chunk in it.
  cut: "ZodError",
  lacks: { "streamed tools": calls, "streamed reasoning": calls },
  lacksAtHome: { stream: usage, cut: usage, "streamed abort": usage, tools: members, reasoning: members },
  thrown: (error) =>
    thrownBy(
      error,
      [errors.MistralError, errors.HTTPClientError, errors.SDKValidationError],
      (own) => own.statusCode,
    ),
  open(ask) {
    const messages: Message[] = [];
    const next = async (...more: Message[]) => {
      messages.push(...more);
      const { content, pieces, usage } = await turn(ask, messages);
      const calls = wholeCalls(pieces);
      messages.push({
        role: "assistant",
        content: content as string,
        ...(calls.length > 0 && {
          toolCalls: calls.map(({ id, name, args }) => ({
            id,
            function: { name, arguments: JSON.stringify(args) },
          })),
        }),
      });
      return {
        text: textOf(content),
        calls,
        // It has no option to ask for usage in streams.
        ...(usage && { usage: { input: usage.promptTokens, output: usage.completionTokens } }),
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
        next(
          ...calls.map(({ id, name }): Message => ({ role: "tool", toolCallId: id, name, content: text })),
        ),
    };
  },
  async embed({ send, model, texts }) {
    const { data } = await mistralOf(send).embeddings.create({ model, inputs: texts });
    return data.map(({ embedding }) => embedding ?? []);
  },
};
