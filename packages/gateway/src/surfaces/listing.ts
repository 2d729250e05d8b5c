import type { EmbedCodec, Json } from "@manifold/core";
import type { Model } from "../catalog.ts";
import { embed } from "../embed.ts";
import { readJson } from "../http/body.ts";
import { withIdempotency } from "../idempotency.ts";
import { activeModels, findModel, toModelEntry } from "../models.ts";
import type { Route } from "../route.ts";
import { embedHead, parse } from "./heads.ts";

/** The open probe that clients use to see whether the service is there. */
export const probe: Route = {
  method: "HEAD",
  path: "",
  access: "open",
  summary: "Connectivity probe",
  handler: () => ({ status: 200 }),
};

/** The model list of a compatibility surface; `native` adds the fields that its vendor's SDKs read. */
export const listing = (
  path: string,
  native: (model: Model) => Record<string, Json>,
  wrap: (models: Record<string, Json>[]) => Record<string, Json>,
): Route[] => [
  {
    method: "GET",
    path,
    access: "key",
    summary: "List the models",
    handler: ({ services }) => ({
      body: wrap(
        activeModels(services.catalog).map((model) => ({ ...native(model), ...toModelEntry(model) })),
      ),
    }),
  },
  {
    method: "GET",
    path: `${path}/**:model`,
    access: "key",
    summary: "Read one model",
    handler: ({ services, params }) => {
      const model = findModel(services.catalog, params.model ?? "");
      return { body: { ...native(model), ...toModelEntry(model) } };
    },
  },
];

/** Unix seconds of a model's creation; the epoch where it is not known. */
export const createdOf = (model: Model): number =>
  model.createdAt === undefined ? 0 : Math.floor(Date.parse(model.createdAt) / 1000);

/** The embeddings of the two surfaces that name the model in the body. */
export const embeddings = (codec: EmbedCodec): Route => ({
  method: "POST",
  path: "/v1/embeddings",
  access: "key",
  summary: "Embeddings",
  async handler(context) {
    const body = await readJson(context.exchange);
    const ask = { codec, body, model: parse(embedHead, body.value).model };
    return withIdempotency(context, body, () => embed(context, ask));
  },
});
