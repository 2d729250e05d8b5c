import { isObject, type Json, numberOf, textOf, toArray, toObject } from "@manifold-gateway/core/codec";

/** A provider's description of one of its models. What it does not say is absent. */
export interface ListedModel {
  /** The provider's name for it. */
  name: string;
  /** Modalities: `text`, `image`, `audio`, `embedding`. */
  input?: string[];
  output?: string[];
  /** Tokens. */
  contextWindow?: number;
  quantization?: string;
  /** It is in memory: its first answer does not wait for that. */
  isLoaded?: boolean;
}

/** The known members of it, without those that are undefined. */
export const toListed = (name: string, facts: { [K in keyof ListedModel]?: ListedModel[K] | undefined }) =>
  ({
    name,
    ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)),
  }) as ListedModel;

/** One row of a listing, in any of the shapes that servers have for it. */
export function readListed(row: Json): ListedModel | undefined {
  if (!isObject(row)) return undefined;
  // One vendor's listing has resource names, with the collection before the id; an id stays as it is spelled.
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

/** Fetches JSON from below a server's root; nothing where it does not answer with an object. */
export type AskServer = (path: string, body?: Json) => Promise<Json | undefined>;

/**
 * Reads the description that a server of one model has at `/props`. Of several models none is asked about: that would
 * load it.
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

/** Reads the descriptions that a server with many models has at `/api/tags`, `/api/ps` and, of each, `/api/show`. */
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

/** The servers that say more of their models than their listing does, and the readers of it. */
export const describers = { props: readProps, tags: readTags } as const;
export type Describer = keyof typeof describers;
