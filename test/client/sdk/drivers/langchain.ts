import { ChatAnthropic } from "@langchain/anthropic";
import { LangChainError } from "@langchain/core/errors";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { type AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatGoogle } from "@langchain/google";
import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import { OpenAIError } from "openai";
import { type Ask, type Driver, PERSON, thrownBy, WEATHER } from "../driver.ts";

/** Options of a call, as the vendor's own client takes them. */
type Options = Record<string, unknown>;

async function turn(
  ask: Ask,
  model: BaseChatModel,
  options: Options,
  messages: BaseMessage[],
): Promise<AIMessageChunk> {
  const { stream, signal, onText, tools } = ask;
  const bound = tools ? (model.bindTools?.([{ type: "function", function: WEATHER }]) ?? model) : model;
  const all = { ...options, ...(signal && { signal }) };
  if (!stream) return (await bound.invoke(messages, all)) as AIMessageChunk;
  let whole: AIMessageChunk | undefined;
  for await (const chunk of (await bound.stream(messages, all)) as AsyncIterable<AIMessageChunk>) {
    whole = whole ? whole.concat(chunk) : chunk;
    if (chunk.text) onText?.(chunk.text);
  }
  if (!whole) throw new Error("an empty stream");
  return whole;
}

const apiKey = "unused";

/** LangChain with a chat model of it. */
function langchain(
  name: string,
  wire: Driver["wire"],
  modelOf: (ask: Ask) => BaseChatModel,
  formatOf: () => Options,
  { hidesUsage, ...more }: Partial<Driver> & { hidesUsage?(ask: Ask): boolean } = {},
): Driver {
  return {
    name,
    wire,
    // LangChain throws the errors of the vendors' own clients, and its own for aborts and streams.
    thrown: (error) => thrownBy(error, [OpenAIError, LangChainError], (own) => own.status ?? own.statusCode),
    ...more,
    open(ask) {
      const messages: BaseMessage[] = [];
      const next = async (...asked: BaseMessage[]) => {
        messages.push(...asked);
        const reply = await turn(ask, modelOf(ask), ask.format ? formatOf() : {}, messages);
        messages.push(reply);
        return {
          text: reply.text,
          calls: (reply.tool_calls ?? []).map(({ id, name, args }) => ({ id: id ?? "", name, args })),
          ...(!hidesUsage?.(ask) && {
            usage: {
              input: reply.usage_metadata?.input_tokens,
              output: reply.usage_metadata?.output_tokens,
            },
          }),
        };
      };
      return {
        say: (text, image) =>
          next(
            new HumanMessage({
              content: image
                ? [
                    { type: "text", text },
                    { type: "image_url", image_url: { url: `data:image/png;base64,${image}` } },
                  ]
                : text,
            }),
          ),
        result: (calls, text) =>
          next(
            ...calls.map(
              ({ id, name }) =>
                new ToolMessage({ tool_call_id: id, content: text, ...(wire === "genstyle" && { name }) }),
            ),
          ),
      };
    },
  };
}

const json = {
  type: "json_schema",
  json_schema: { name: "person", schema: PERSON, strict: true },
};

export const langchainDrivers: Driver[] = [
  langchain(
    "@langchain/openai",
    "chatstyle",
    ({ send, model, reasons }) =>
      new ChatOpenAI({
        ...{ model, apiKey, maxRetries: 0, configuration: { fetch: send } },
        ...(reasons && { reasoning: { effort: "medium" } }),
      }),
    () => ({ response_format: json }),
    {
      embed: ({ send, model, texts }) =>
        new OpenAIEmbeddings({ model, apiKey, maxRetries: 0, configuration: { fetch: send } }).embedDocuments(
          texts,
        ),
    },
  ),
  langchain(
    "@langchain/openai responses",
    "responses",
    ({ send, model, reasons }) =>
      new ChatOpenAI({
        ...{ model, apiKey, maxRetries: 0, configuration: { fetch: send } },
        ...{ useResponsesApi: true, zdrEnabled: true },
        ...(reasons && { reasoning: { effort: "medium" } }),
      }),
    () => ({ response_format: json }),
  ),
  langchain(
    "@langchain/anthropic",
    "msgstyle",
    ({ send, model, reasons }) =>
      new ChatAnthropic({
        ...{ model, apiKey, maxRetries: 0, maxTokens: 4_096, clientOptions: { fetch: send } },
        ...(reasons && { thinking: { type: "enabled", budget_tokens: 2_048 } }),
      }),
    () => ({ outputFormat: { type: "json_schema", schema: PERSON } }),
    {
      // It brings a version of the vendor's client of its own, whose classes it does not export.
      thrown(error) {
        const isOwn = error instanceof Error && "status" in error && "requestID" in error;
        return thrownBy(error, isOwn ? [Error] : [LangChainError], (own) => own.status);
      },
      // It adds the usage at the end of a stream to that of its start, which are one count.
      hidesUsage: (ask) => ask.stream,
    },
  ),
  langchain(
    "@langchain/google",
    "genstyle",
    ({ send, model, reasons }) =>
      new ChatGoogle({
        ...{ model, maxRetries: 0 },
        apiClient: { hasApiKey: () => true, getProjectId: async () => "none", fetch: send } as never,
        ...(reasons && { thinkingBudget: 2_048 }),
      }),
    () => ({ responseMimeType: "application/json", responseSchema: PERSON }),
    { lacks: { cut: "it reads no errors in a stream" } },
  ),
];
