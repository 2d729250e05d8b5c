import type {
  EmbeddingModelV4,
  ImageModelV4,
  LanguageModelV4,
  ProviderV4,
  RerankingModelV4,
  SpeechModelV4,
  TranscriptionModelV4,
} from "@ai-sdk/provider";
import { wires } from "@manifold-gateway/core/codec";
import { allParts } from "../all-parts.ts";
import { type Client, createClient } from "../client.ts";
import type { ClientOptions, ProviderSettings, TargetName } from "../options.ts";
import type { Incoming } from "../request/incoming.ts";
import { modelstyle } from "./codec.ts";
import { modelEmbed } from "./embed-codec.ts";
import { embeddingModel } from "./embedding-model.ts";
import { modelImages } from "./image-codec.ts";
import { imageModel } from "./image-model.ts";
import { languageModel } from "./language-model.ts";
import { modelRerank } from "./rerank-codec.ts";
import { rerankingModel } from "./reranking-model.ts";
import type { Send } from "./send.ts";
import { speechModel } from "./speech-model.ts";
import { transcriptionModel } from "./transcription-model.ts";
import { protocol } from "./wire.ts";

type ModelId<Providers, Models extends string> =
  | Models
  | TargetName<keyof Providers & string>
  | (string & {});

/** A provider for the AI SDK's calls. Itself makes language models. */
export interface Manifold<Id extends string = string> extends ProviderV4 {
  (model: Id): LanguageModelV4;
  languageModel(model: Id): LanguageModelV4;
  embeddingModel(model: Id): EmbeddingModelV4;
  imageModel(model: Id): ImageModelV4;
  rerankingModel(model: Id): RerankingModelV4;
  speechModel(model: Id): SpeechModelV4;
  transcriptionModel(model: Id): TranscriptionModelV4;
}

/**
 * Makes a provider for the AI SDK that calls the models of any provider: with the keys, fallbacks, checks and callbacks
 * of `createFetch`.
 *
 *     const manifold = createManifold({ models: { best: ["anthropic/claude-opus-4-7", "openai/gpt-6-sol"] } });
 *     const { text } = await generateText({ model: manifold("best"), prompt: "Hello" });
 *
 * What a model cannot be sent is among the `warnings` of a call. Parameters that the AI SDK has no name for are in
 * `providerOptions.manifold`: `{ serviceTier: "flex", reasoning: { budget: 4000, show: "auto" } }`.
 */
export function createManifold<
  const Providers extends Record<string, ProviderSettings> = Record<never, ProviderSettings>,
  const Models extends string = string,
>(options: ClientOptions<Providers, Models> = {}): Manifold<ModelId<Providers, Models>> {
  const send = sender(createClient(options, allParts));
  const language = (model: string): LanguageModelV4 => languageModel(model, send);
  return Object.assign(language, {
    specificationVersion: "v4" as const,
    languageModel: language,
    embeddingModel: (model: string) => embeddingModel(model, send),
    imageModel: (model: string) => imageModel(model, send),
    rerankingModel: (model: string) => rerankingModel(model, send),
    speechModel: (model: string) => speechModel(model, send),
    transcriptionModel: (model: string) => transcriptionModel(model, send),
  });
}

/** The wires of sound, which programs of text do not load. */
const soundCodecs: Partial<
  Record<Parameters<Send>[0], () => Promise<Pick<Incoming, "speakCodec" | "transcriptionCodec">>>
> = {
  speech: async () => ({ speakCodec: (await import("./speech-codec.ts")).modelSpeak }),
  transcription: async () => ({
    transcriptionCodec: (await import("./transcription-codec.ts")).modelTranscription,
  }),
};

const sender =
  (client: Client): Send =>
  async (operation, wire, { abortSignal, headers = {}, recording }, onLoss) => {
    const model = String(wire.model);
    const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    return client.call(
      {
        id: crypto.randomUUID(),
        codec: modelstyle,
        embedCodec: modelEmbed,
        imageCodec: modelImages,
        rerankCodec: modelRerank,
        ...(await soundCodecs[operation]?.()),
        ...(recording && { recording }),
        wire: { protocol, operation, model, stream: wire.stream === true, form: "events", edits: {} },
        body: { value: wire, protocols: wires, holdsSeal: () => false, edited: () => "" },
        model,
        header: (name) => lower.get(name),
        signal: abortSignal ?? new AbortController().signal,
      },
      { onLoss },
    );
  };
