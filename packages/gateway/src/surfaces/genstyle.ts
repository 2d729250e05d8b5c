import { type Edits, embedCodecs, genstyle, type JsonObject } from "@manifold/core";
import type { Catalog, Model } from "../catalog.ts";
import { defaultEntry } from "../catalog.ts";
import type { Answer, Context } from "../context.ts";
import { embed } from "../embed.ts";
import { readJson } from "../http/body.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { withIdempotency } from "../idempotency.ts";
import { activeModels, findModel, maxOutputOf, toModelEntry } from "../models.ts";
import type { Route, Surface } from "../route.ts";
import { countTokens } from "../text/count.ts";
import { arrayStream } from "../text/framing.ts";
import { generateText } from "../text/generate.ts";
import { generateHead, parse } from "./heads.ts";
import { probe } from "./listing.ts";

/**
 * The model that a path names. Clients write it as the listing gives it, with the provider in front, with
 * `models/` in front, or by the provider's own name.
 */
function modelId(catalog: Catalog, path: string): string {
  const id = path.replace(/^(?:models|tunedModels)\//, "");
  if (catalog.get(id)) return id;
  const bare = id.slice(id.indexOf("/") + 1);
  if (bare !== id && catalog.get(bare)) return bare;
  const native = catalog
    .list()
    .find((model) => model.entries.some(({ name }) => name === id || name === bare));
  return native?.id ?? id;
}

/** The two spellings that the SDKs' helpers use and the vendor's own endpoint does not take. */
function plainTextEdits(value: JsonObject): Edits {
  const edits: Edits = {};
  if (typeof value.contents === "string")
    edits.contents = [{ role: "user", parts: [{ text: value.contents }] }];
  for (const name of ["systemInstruction", "system_instruction"])
    if (typeof value[name] === "string") edits[name] = { parts: [{ text: value[name] }] };
  return edits;
}

type Method = (context: Context, model: string) => Promise<Answer | undefined>;

const generate =
  (stream: boolean): Method =>
  async (context, model) => {
    const body = await readJson(context.exchange);
    parse(generateHead, body.value);
    const array = stream && context.exchange.query("alt") !== "sse";
    const ask = { codec: genstyle, body, model, stream, edits: plainTextEdits(body.value) };
    const style = array ? { framing: arrayStream() } : {};
    return withIdempotency(context, body, () => generateText(context, ask, style));
  };

const count: Method = async (context, model) => {
  const body = await readJson(context.exchange);
  return countTokens(context, {
    codec: genstyle,
    body,
    model,
    endpoint: (name) => `/models/${name}:countTokens`,
    answer: (tokens) => ({ totalTokens: tokens }),
  });
};

const embedOne: Method = async (context, model) => {
  const body = await readJson(context.exchange);
  const ask = { codec: embedCodecs.genstyle, body, model };
  return withIdempotency(context, body, () => embed(context, ask));
};

/** What stands behind the last colon of a path. */
const methods: Record<string, Method> = {
  generateContent: generate(false),
  streamGenerateContent: generate(true),
  countTokens: count,
  embedContent: embedOne,
  batchEmbedContents: embedOne,
};

async function call(context: Context): Promise<Answer | undefined> {
  const spec = context.params.spec ?? "";
  const doubled = /^(v1(?:beta)?)\//.exec(spec);
  if (doubled)
    throw new Refusal(
      404,
      `The version stands twice in the path: leave it out of the base URL, the SDK adds '/${doubled[1]}' itself.`,
    );
  const colon = spec.lastIndexOf(":");
  const name = spec.slice(colon + 1);
  const method = colon > 0 && Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (!method)
    throw new Refusal(
      404,
      `There is no method ${quote(name)} here; known are ${Object.keys(methods).join(", ")}.`,
    );
  return method(context, modelId(context.services.catalog, spec.slice(0, colon)));
}

/** A model as the vendor lists it, beside the fields that all surfaces share. */
const native = (model: Model): JsonObject => ({
  name: `models/${model.id}`,
  displayName: model.name ?? model.id,
  ...(maxOutputOf(model) !== undefined && { outputTokenLimit: maxOutputOf(model) as number }),
  supportedGenerationMethods: model.outputModalities.includes("embedding")
    ? ["embedContent", "batchEmbedContents"]
    : ["generateContent", "streamGenerateContent", "countTokens"],
});

const entry = (model: Model): JsonObject => ({
  ...toModelEntry(model),
  id: `${defaultEntry(model)?.provider ?? "manifold"}/${model.id}`,
});

const version = (prefix: string): Route[] => [
  {
    method: "GET",
    path: `${prefix}/models`,
    access: "key",
    summary: "List the models",
    handler: ({ services }) => {
      const models = activeModels(services.catalog);
      return { body: { data: models.map(entry), models: models.map(native) } };
    },
  },
  {
    method: "GET",
    path: `${prefix}/models/**:model`,
    access: "key",
    summary: "Read one model",
    handler: ({ services, params }) => {
      const model = findModel(services.catalog, modelId(services.catalog, params.model ?? ""));
      return { body: { ...entry(model), ...native(model) } };
    },
  },
  {
    method: "POST",
    path: `${prefix}/**:spec`,
    access: "key",
    summary: "Call a model: `models/{model}:{method}`",
    handler: call,
  },
];

/** The generate-content surface, under both of the versions that its SDKs ask for. */
export const generateSurface: Surface = {
  name: "genstyle",
  prefix: "/api/genstyle",
  codec: genstyle,
  credentials: [
    { in: "header", name: "x-goog-api-key" },
    { in: "query", name: "key" },
  ],
  routes: [probe, ...version("/v1beta"), ...version("/v1")],
};
