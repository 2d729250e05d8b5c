import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4ResponseMetadata,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  SharedV4Warning,
} from "@ai-sdk/provider";
import { type Json, type JsonObject, toObject } from "@manifold-gateway/core/codec";
import { toCallError, toStreamError } from "./errors.ts";
import { readEvents } from "./events.ts";
import type { Send } from "./send.ts";
import { toWarning } from "./warnings.ts";
import { type Body, NAMESPACE, toWire } from "./wire.ts";

/** Every address is passed on: what a provider does not fetch is refused with its name, or is a warning. */
const supportedUrls = { "*": [/^https?:/] };

/** A language model of the AI SDK that calls the targets of a model's name. */
export function languageModel(modelId: string, send: Send): LanguageModelV4 {
  /** The answer of one call, with what was lost of its request. Rejects with the AI SDK's error. */
  async function call(options: LanguageModelV4CallOptions, stream: boolean) {
    const wire: JsonObject = { ...toWire(options), model: modelId, stream };
    const warnings: SharedV4Warning[] = [];
    const response = await send("text", wire, options, (loss) => {
      // A limit that the protocol demands and the caller did not set is in `onLoss`, and no warning of every call.
      if (loss.path === "/maxOutputTokens" && options.maxOutputTokens === undefined) return;
      warnings.push(toWarning(loss));
    });
    if (!response.ok) throw await toCallError(response, modelId, wire);
    return { wire, warnings, response, headers: Object.fromEntries(response.headers) };
  }
  return {
    specificationVersion: "v4",
    provider: NAMESPACE,
    modelId,
    supportedUrls,

    async doGenerate(options): Promise<LanguageModelV4GenerateResult> {
      const { wire, warnings, response, headers } = await call(options, false);
      const body = (await response.json()) as Body;
      return {
        ...body,
        content: body.content.map(toContent),
        request: { body: wire },
        response: { ...toMetadata(body.response), headers, body },
        warnings,
      };
    },

    async doStream(options): Promise<LanguageModelV4StreamResult> {
      const { wire, warnings, response, headers } = await call(options, true);
      const stream = readEvents<LanguageModelV4StreamPart>(response, {
        start: () => [{ type: "stream-start", warnings: [...warnings] }],
        chunk: (json) => [toStreamPart(json, modelId, wire)],
        fault: (error) => [{ type: "error", error }],
      });
      return { stream, request: { body: wire }, response: { headers } };
    },
  };
}

/** JSON has texts where the interface has objects. */
function toContent(part: LanguageModelV4Content): LanguageModelV4Content {
  if (part.type !== "file" || part.data.type !== "url") return part;
  return { ...part, data: { ...part.data, url: new URL(part.data.url) } };
}

/** Facts of the answer, whose time is a text in JSON. */
const toMetadata = ({ timestamp, ...rest }: Body["response"]): LanguageModelV4ResponseMetadata => ({
  ...rest,
  ...(timestamp !== undefined && { timestamp: new Date(timestamp) }),
});

function toStreamPart(json: Json, model: string, wire: JsonObject): LanguageModelV4StreamPart {
  const part = toObject(json);
  if (part.type === "error") return { type: "error", error: toStreamError(part.error, model, wire) };
  const read = part as unknown as LanguageModelV4StreamPart;
  if (read.type === "response-metadata")
    return { type: read.type, ...toMetadata(part as unknown as Body["response"]) };
  return read.type === "file" ? (toContent(read) as typeof read) : read;
}
