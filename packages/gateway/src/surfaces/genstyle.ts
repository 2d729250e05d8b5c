import { genstyle } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { embedCodecs } from "@manifold-gateway/core/operations";
import {
  arrayStream,
  countForms,
  modelSpellings,
  plainTextEdits,
  wantsEvents,
} from "@manifold-gateway/core/wire";
import { z } from "zod";
import { someWhole } from "../account/paging.ts";
import { defaultEntry } from "../catalog/catalog.ts";
import { activeModels, findModel, maxOutputOf, toModelEntry } from "../catalog/model-listing.ts";
import { pageOf } from "../catalog/model-pages.ts";
import { embed } from "../embeddings/embed.ts";
import { countServices, operationServices, textServices } from "../generation/services.ts";
import { bodyLimits } from "../http/body.ts";
import { documented } from "../openapi/request-schemas.ts";
import { serveOperation } from "../operations/serve.ts";
import type { Catalog, Model } from "../ports/catalog.ts";
import type { Context } from "../ports/context.ts";
import { defineRoute, type Route, type Surface } from "../route.ts";
import { countAbout, countLimits, countTokens } from "../text/count.ts";
import { generateText } from "../text/generate.ts";
import { generateHead, oneVectorHead, vectorsHead } from "./heads.ts";
import { probe } from "./listing.ts";
import { modelEntry } from "./shapes/models.ts";
import { eventStream, generated, manyEmbeddings, oneEmbedding } from "./shapes/replies.ts";

/**
 * Finds the model of a path. Clients write it as in the list, with a provider or `models/` in front, or by the
 * provider's name for it.
 */
function modelId(catalog: Catalog, path: string): string {
  const [id, bare] = modelSpellings(path);
  if (catalog.get(id)) return id;
  if (bare !== id && catalog.get(bare)) return bare;
  const native = catalog
    .list()
    .find((model) => model.entries.some(({ name }) => name === id || name === bare));
  return native?.id ?? id;
}

/** The model in the path of a request. */
const pathModel = ({ services, params }: Context<"catalog">): string =>
  modelId(services.catalog, params.model ?? "");

const params = z.object({
  model: z.string().describe("The id of a model; `models/` and a provider may precede it."),
});
const wire = documented(genstyle.request.schema, "GenerateContentWire");
const contents = [{ role: "user", parts: [{ text: "Say hello." }] }];

/** Members that all calls of a model share: `models/{model}:{verb}`, with or without `models/`. */
const call = (version: string, verb: string) =>
  ({
    method: "POST",
    path: `${version}/**:model:${verb}`,
    shown: `${version}/models/{model}:${verb}`,
    access: "key",
    params,
    limits: bodyLimits,
  }) as const;

const generation = (version: string, stream: boolean): Route =>
  defineRoute({
    ...call(version, stream ? "streamGenerateContent" : "generateContent"),
    summary: stream ? "Generate content, streamed" : "Generate content",
    ...(stream && {
      about:
        "One JSON array, written element by element, unless `alt` is `sse`, or is absent and `accept` names `text/event-stream`.",
    }),
    query: z.object({ alt: z.string().optional().describe("`sse`: server-sent events.") }),
    body: generateHead,
    wire,
    generates: true,
    explains: true,
    answer: stream ? z.array(generated) : generated,
    ...(stream && { also: eventStream("a `GenerateContentResponse`") }),
    examples: {
      typical: {
        params: { model: "sim-generate" },
        ...(stream && { query: { alt: "sse" } }),
        body: { contents },
      },
      translated: {
        params: { model: "sim-chat" },
        body: { contents, generationConfig: { maxOutputTokens: 64 } },
      },
    },
    uses: textServices,
    handler(context, { query, json }) {
      const edits = plainTextEdits(json.value);
      const ask = { codec: genstyle, body: json, model: pathModel(context), stream, edits };
      const style =
        stream && !wantsEvents(query.alt, context.exchange.header("accept"))
          ? { framing: arrayStream() }
          : {};
      return generateText(context, ask, style);
    },
  });

const counting = (version: string): Route =>
  defineRoute({
    ...call(version, "countTokens"),
    summary: "Count the tokens of contents",
    about: countAbout,
    body: z.looseObject({}),
    limits: countLimits,
    rated: true,
    answer: z.looseObject({ totalTokens: z.int() }),
    examples: { one: { params: { model: "sim-generate" }, body: { contents } } },
    uses: countServices,
    handler: (context, { json }) =>
      countTokens(context, {
        codec: genstyle,
        body: json,
        model: pathModel(context),
        edits: plainTextEdits(json.value),
        ...countForms.genstyle,
      }),
  });

const embedding = (version: string, several: boolean): Route => {
  const content = { parts: [{ text: "one" }] };
  return defineRoute({
    ...call(version, several ? "batchEmbedContents" : "embedContent"),
    summary: several ? "Create several embeddings" : "Create an embedding",
    body: several ? vectorsHead : oneVectorHead,
    generates: true,
    explains: true,
    answer: several ? manyEmbeddings : oneEmbedding,
    examples: {
      text: {
        params: { model: "sim-embedding" },
        body: several ? { requests: [{ content }, { content }] } : { contents: content },
      },
    },
    uses: operationServices,
    handler: (context, { json }) => {
      const ask = { codec: embedCodecs.genstyle, body: json, model: pathModel(context) };
      return serveOperation(context, embed, ask);
    },
  });
};

/** A model in the vendor's format, without the members that all surfaces share. */
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

const vendorModel = z.object({
  name: z.string().meta({ examples: ["models/sim-generate"] }),
  displayName: z.string(),
  outputTokenLimit: z.int().optional(),
  supportedGenerationMethods: z.array(z.string()),
});
const fullModel = modelEntry.extend(vendorModel.shape).meta({ id: "GenerateModel" });

/** The vendor reduces larger sizes to this one. */
const LARGEST_PAGE = 1_000;

const version = (prefix: string): Route[] => [
  defineRoute({
    method: "GET",
    path: `${prefix}/models`,
    access: "key",
    summary: "List the models",
    about: "`data` as on all surfaces, `models` as this protocol's SDKs read it.",
    query: z.object({
      pageSize: someWhole(0, 999_999_999).describe(
        `The most models of a page, at most ${LARGEST_PAGE}. Default, and 0: all.`,
      ),
      pageToken: z.string().max(512).optional().describe("The `nextPageToken` of the previous page."),
    }),
    answer: z.object({
      data: z.array(modelEntry),
      models: z.array(vendorModel),
      nextPageToken: z.string().optional().describe("Absent on the last page."),
    }),
    examples: { all: {}, "a page": { query: { pageSize: "2" } } },
    uses: ["catalog"],
    handler({ services }, { query: { pageSize = 0, pageToken } }) {
      const { page, hasMore } = pageOf(activeModels(services.catalog), {
        ...(pageSize > 0 && { limit: Math.min(pageSize, LARGEST_PAGE) }),
        after: ["pageToken", pageToken || undefined],
      });
      const next = hasMore && page.at(-1);
      return {
        body: { data: page.map(entry), models: page.map(native), ...(next && { nextPageToken: next.id }) },
      };
    },
  }),
  defineRoute({
    method: "GET",
    path: `${prefix}/models/**:model`,
    access: "key",
    summary: "Get a model",
    params,
    answer: fullModel,
    examples: { one: { params: { model: "sim-generate" } } },
    uses: ["catalog"],
    handler: (context) => {
      const model = findModel(context.services.catalog, pathModel(context));
      return { body: { ...entry(model), ...native(model) } };
    },
  }),
  generation(prefix, false),
  generation(prefix, true),
  counting(prefix),
  embedding(prefix, false),
  embedding(prefix, true),
];

/** The generate-content surface, under both versions that its SDKs use. */
export const generateSurface: Surface = {
  name: "genstyle",
  about: "Generate content, under both versions that its SDKs use.",
  prefix: "/api/genstyle",
  codec: genstyle,
  credentials: [
    { in: "header", name: "x-goog-api-key" },
    { in: "query", name: "key" },
  ],
  routes: [probe, ...version("/v1beta"), ...version("/v1")],
};
