import { isObject, type Json, numberOf, textOf, toArray, toObject } from "@manifold-gateway/core/codec";

/** A provider's description of one of its models. Unknown members are absent. */
export interface ListedModel {
  /** The provider's name for it. */
  name: string;
  /** Modalities: `text`, `image`, `audio`, `embedding`. */
  input?: string[];
  /** Modalities of its answers. */
  output?: string[];
  /** The context window in tokens. */
  contextWindow?: number;
  /** The number format of the weights, by its server's name: `Q4_K_M`. */
  quantization?: string;
  /** True if it is loaded into memory, so that its first answer needs no wait for that. */
  isLoaded?: boolean;
}

/** Builds a description without undefined members. */
export const toListed = (name: string, facts: { [K in keyof ListedModel]?: ListedModel[K] | undefined }) =>
  ({
    name,
    ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)),
  }) as ListedModel;

/** Reads one row of a listing, in any of the formats of servers. */
export function readListed(row: Json): ListedModel | undefined {
  if (!isObject(row)) return undefined;
  // One vendor lists resource names, with the collection before the id. An `id` is kept unchanged.
  const name = textOf(row.id) ?? textOf(row.name)?.replace(/^models\//, "");
  if (name === undefined) return undefined;
  const meta = toObject(row.meta);
  const state = textOf(toObject(row.status).value);
  return toListed(name, {
    contextWindow: numberOf(row.max_model_len) ?? numberOf(meta.n_ctx) ?? numberOf(meta.n_ctx_train),
    quantization: textOf(meta.ftype) || undefined,
    isLoaded: state === undefined ? undefined : state === "loaded",
  });
}

/** Fetches JSON from a path below a server's root; undefined if the answer is not an object. */
export type AskServer = (path: string, body?: Json) => Promise<Json | undefined>;

/**
 * Reads the description at `/props` of a server with one model. With several models nothing is requested, because that
 * would load a model.
 */
async function readProps(models: readonly ListedModel[], ask: AskServer): Promise<ListedModel[]> {
  const [only] = models;
  if (!only || models.length > 1 || only.isLoaded !== undefined) return [...models];
  const props = toObject(await ask("/props"));
  const { vision, audio } = toObject(props.modalities);
  const contextWindow = numberOf(toObject(props.default_generation_settings).n_ctx);
  return [
    {
      ...only,
      input: ["text", ...(vision === true ? ["image"] : []), ...(audio === true ? ["audio"] : [])],
      ...(contextWindow !== undefined && { contextWindow }),
      ...("model_path" in props && { isLoaded: props.is_sleeping !== true }),
    },
  ];
}

/** Reads the descriptions of a server with many models at `/api/tags`, `/api/ps` and, for each model, `/api/show`. */
async function readTags(models: readonly ListedModel[], ask: AskServer): Promise<ListedModel[]> {
  const rows = async (path: string) =>
    new Map(
      toArray(toObject(await ask(path)).models).map((row) => [textOf(toObject(row).name), toObject(row)]),
    );
  const [tags, running] = await Promise.all([rows("/api/tags"), rows("/api/ps")]);
  return Promise.all(
    models.map(async (model) => {
      const shown = toObject(await ask("/api/show", { model: model.name }));
      const can = toArray(shown.capabilities);
      const window = Object.entries(toObject(shown.model_info)).find(([key]) =>
        key.endsWith(".context_length"),
      );
      return toListed(model.name, {
        ...model,
        input: can.includes("vision") ? ["text", "image"] : ["text"],
        output: can.includes("embedding") ? ["embedding"] : ["text"],
        contextWindow: numberOf(window?.[1]),
        quantization: textOf(toObject(tags.get(model.name)?.details).quantization_level) || undefined,
        isLoaded: running.has(model.name),
      });
    }),
  );
}

/** The readers of descriptions, by the kind of server that offers more than its listing. */
export const describers = { props: readProps, tags: readTags } as const;
export type Describer = keyof typeof describers;
