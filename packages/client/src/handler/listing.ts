import type { Protocol } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { type ModelFacts, modelOf } from "../catalog/index.ts";
import type { AnyOptions, TargetOptions } from "../options.ts";

/** A model that a handler serves, with what is known of its first target. */
interface ServedModel extends Partial<Pick<ModelFacts, "kind" | "contextWindow" | "maxOutputTokens">> {
  id: string;
  /** The provider of its first target. */
  provider: string;
}

/** The verbs of generate-content that a model serves. */
function methodsOf(kind: ServedModel["kind"]): string[] {
  switch (kind) {
    case "embedding":
      return ["embedContent", "batchEmbedContents"];
    case "ranking":
    case "moderation":
    case "speech":
    case "transcription":
      return [];
    default:
      return ["generateContent", "streamGenerateContent", "countTokens"];
  }
}

/** The listings of the surfaces that have one; a wire without takes that of chat completions. */
const listings: Partial<
  Record<Protocol, { one(model: ServedModel): JsonObject; all(models: JsonObject[]): JsonObject }>
> = {
  chatstyle: {
    one: ({ id, provider, contextWindow }) => ({
      id,
      object: "model",
      created: 0,
      owned_by: provider,
      ...(contextWindow !== undefined && { context_length: contextWindow }),
    }),
    all: (data) => ({ object: "list", data }),
  },
  msgstyle: {
    one: ({ id, maxOutputTokens }) => ({
      type: "model",
      id,
      display_name: id,
      created_at: new Date(0).toISOString(),
      ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }),
    }),
    all: (data) => ({
      data,
      has_more: false,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
    }),
  },
  genstyle: {
    one: ({ id, kind, contextWindow, maxOutputTokens }) => ({
      name: `models/${id}`,
      displayName: id,
      ...(contextWindow !== undefined && { inputTokenLimit: contextWindow }),
      ...(maxOutputTokens !== undefined && { outputTokenLimit: maxOutputTokens }),
      supportedGenerationMethods: methodsOf(kind),
    }),
    all: (models) => ({ models }),
  },
};

/** The models of the option `models`, each with the facts of its first target. */
function servedModels(models: NonNullable<AnyOptions["models"]>): ServedModel[] {
  return Object.entries(models).flatMap(([id, targets]) => {
    const [first] = [targets].flat() as (string | TargetOptions)[];
    const target = typeof first === "object" ? first.target : first;
    if (target === undefined) return [];
    const { kind, contextWindow, maxOutputTokens } = modelOf(target) ?? {};
    return [
      {
        id,
        provider: target.slice(0, target.indexOf("/")),
        ...(kind && { kind }),
        ...(contextWindow !== undefined && { contextWindow }),
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      },
    ];
  });
}

/** The name of the collection in a path, with or without a model behind it. */
const COLLECTION = "/models";

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/**
 * The answer to `GET …/models` and `GET …/models/{name}` in the form of a surface; undefined for another path, and for
 * a model that is not served.
 */
export function listModels(
  path: string,
  protocol: Protocol,
  models: NonNullable<AnyOptions["models"]>,
): JsonObject | undefined {
  const { one, all } =
    listings[protocol] ?? (listings.chatstyle as NonNullable<(typeof listings)["chatstyle"]>);
  const served = servedModels(models);
  const at = path.lastIndexOf(COLLECTION);
  if (at < 0) return undefined;
  const name = path.slice(at + COLLECTION.length).replace(/^\//, "");
  if (name === "") return all(served.map(one));
  const model = served.find(({ id }) => id === decoded(name));
  return model && one(model);
}
