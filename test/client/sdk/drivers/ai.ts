import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createManifold } from "@manifold-gateway/client/ai-sdk";
import {
  AISDKError,
  type EmbeddingModel,
  embedMany,
  generateImage,
  generateText,
  type ImageModel,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  Output,
  streamText,
  tool,
} from "ai";
import {
  type Ask,
  type Client,
  type Driver,
  type Lacks,
  PERSON,
  type Send,
  thrownBy,
  WEATHER,
} from "../driver.ts";

/** The models of a provider for the AI SDK, by their names. */
interface Models {
  text(name: string): LanguageModel;
  embedding?(name: string): EmbeddingModel;
  image?(name: string): ImageModel;
}

const tools = {
  [WEATHER.name]: tool({ description: WEATHER.description, inputSchema: jsonSchema(WEATHER.parameters) }),
};

async function turn({ stream, signal, onText, ...ask }: Ask, model: LanguageModel, messages: ModelMessage[]) {
  const params = {
    model,
    messages,
    maxRetries: 0,
    ...(ask.tools && { tools }),
    ...(ask.format && { output: Output.object({ schema: jsonSchema(PERSON), name: "person" }) }),
    ...(ask.reasons && { reasoning: "medium" as const }),
    ...(signal && { abortSignal: signal }),
  };
  if (!stream) return generateText(params);
  let failure: unknown;
  const result = streamText({
    ...params,
    onError({ error }) {
      failure = error;
    },
  });
  for await (const part of result.stream) {
    if (part.type === "text-delta") onText?.(part.text);
    if (part.type === "abort") throw signal?.reason;
  }
  if (failure !== undefined) throw failure;
  const [text, toolCalls, responseMessages, usage] = await Promise.all([
    result.text,
    result.toolCalls,
    result.responseMessages,
    result.usage,
  ]);
  return { text, toolCalls, responseMessages, usage };
}

/** The AI SDK with a provider of it. */
export function ai(
  name: string,
  wire: Driver["wire"],
  modelsOf: (fetch: Send, options: Client["options"]) => Models,
  lacks: Lacks = {},
): Driver {
  const { embedding, image } = modelsOf(fetch, {});
  return {
    name: `ai, ${name}`,
    wire,
    lacks,
    thrown: (error) => thrownBy(error, [AISDKError], (own) => own.statusCode),
    open(ask) {
      const messages: ModelMessage[] = [];
      const next = async (message: ModelMessage) => {
        messages.push(message);
        const { text, toolCalls, responseMessages, usage } = await turn(
          ask,
          modelsOf(ask.send, ask.options).text(ask.model),
          messages,
        );
        messages.push(...responseMessages);
        return {
          text,
          calls: toolCalls.map(({ toolCallId, toolName, input }) => ({
            id: toolCallId,
            name: toolName,
            args: input,
          })),
          usage: { input: usage.inputTokens, output: usage.outputTokens },
        };
      };
      return {
        say: (text, picture) =>
          next({
            role: "user",
            content: [
              { type: "text", text },
              ...(picture
                ? [
                    {
                      type: "file" as const,
                      mediaType: "image/png",
                      data: { type: "data" as const, data: picture },
                    },
                  ]
                : []),
            ],
          }),
        result: (calls, text) =>
          next({
            role: "tool",
            content: calls.map((call) => ({
              type: "tool-result",
              toolCallId: call.id,
              toolName: call.name,
              output: { type: "text", value: text },
            })),
          }),
      };
    },
    ...(embedding && {
      embed: async ({ send, options, model, texts }) => {
        const { embeddings } = await embedMany({
          model: modelsOf(send, options).embedding?.(model) as EmbeddingModel,
          values: texts,
          maxRetries: 0,
        });
        return embeddings;
      },
    }),
    ...(image && {
      draw: async ({ send, options, model, prompt }) => {
        const { image: drawn } = await generateImage({
          model: modelsOf(send, options).image?.(model) as ImageModel,
          prompt,
          maxRetries: 0,
        });
        return drawn.base64;
      },
    }),
  };
}

const apiKey = "unused";

export const aiDrivers: Driver[] = [
  ai("@manifold-gateway/client/ai-sdk", "none", (_, options) => {
    const provider = createManifold(options);
    return { text: provider, embedding: provider.embeddingModel, image: provider.imageModel };
  }),
  ai("@ai-sdk/openai responses", "responses", (fetch) => {
    const provider = createOpenAI({ fetch, apiKey });
    return { text: provider, embedding: provider.embeddingModel, image: provider.imageModel };
  }),
  ai("@ai-sdk/openai chat", "chatstyle", (fetch) => ({ text: createOpenAI({ fetch, apiKey }).chat })),
  ai("@ai-sdk/anthropic", "msgstyle", (fetch) => ({ text: createAnthropic({ fetch, apiKey }) })),
  ai("@ai-sdk/google", "genstyle", (fetch) => {
    const provider = createGoogle({ fetch, apiKey });
    return { text: provider, embedding: provider.embeddingModel };
  }),
  ai("@ai-sdk/openai-compatible", "chatstyle", (fetch) => {
    const provider = createOpenAICompatible({
      name: "manifold",
      baseURL: "http://manifold.test/v1",
      supportsStructuredOutputs: true,
      includeUsage: true,
      fetch,
    });
    return { text: provider, embedding: provider.embeddingModel, image: provider.imageModel };
  }),
];
