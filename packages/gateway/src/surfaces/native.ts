import { native } from "@manifold-gateway/core";
import { outputModality } from "@manifold-gateway/core/capability";
import { z } from "zod";
import { activeModels, findModel, toModel } from "../catalog/model-listing.ts";
import { textServices } from "../generation/services.ts";
import { bodyLimits } from "../http/body.ts";
import { usualRateHeaders } from "../http/rate-headers.ts";
import { documented } from "../openapi/request-schemas.ts";
import { defineRoute, type Surface } from "../route.ts";
import { generateText } from "../text/generate.ts";
import { assetRoutes } from "./assets.ts";
import { audioRoutes } from "./audio.ts";
import { imageRoutes } from "./image.ts";
import { modelSchemaRoutes } from "./model-schemas.ts";
import { model } from "./shapes/models.ts";
import { eventStream } from "./shapes/replies.ts";
import { videoRoutes } from "./video.ts";

const inputs = ["text", "image", "file", "video", "audio"] as const;

/** Filters of the model list. */
const modelFilter = z.object({
  inputModalities: z.enum(inputs).optional(),
  outputModalities: z.enum([...inputs, ...Object.values(outputModality)]).optional(),
});

const completion = documented(native.request.schema, "TextCompletionRequest") as z.ZodType<{ model: string }>;

/** The native interface. */
export const nativeSurface: Surface = {
  name: "native",
  about: "The service's own interface, the same for every model.",
  prefix: "/api/v1",
  rates: usualRateHeaders,
  routes: [
    defineRoute({
      method: "GET",
      path: "/ai/models",
      access: "caller",
      summary: "List the active models",
      query: modelFilter,
      answer: z.array(model),
      examples: { all: {}, "that see": { query: { inputModalities: "image" } } },
      uses: ["catalog"],
      handler: ({ services }, { query: { inputModalities: input, outputModalities: output } }) => {
        const models = activeModels(
          services.catalog,
          (model) =>
            (input === undefined || model.inputModalities.includes(input)) &&
            (output === undefined || model.outputModalities.includes(output)),
        );
        return { body: models.map(toModel) };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/ai/models/**:modelId",
      access: "caller",
      summary: "Get an active model",
      answer: model,
      examples: { one: { params: { modelId: "sim-chat" } } },
      uses: ["catalog"],
      handler: ({ services, params }) => ({
        body: toModel(findModel(services.catalog, params.modelId ?? "")),
      }),
    }),
    defineRoute({
      method: "POST",
      path: "/text/completions",
      access: "caller",
      summary: "Create a text completion, always streamed",
      body: completion,
      limits: bodyLimits,
      generates: true,
      explains: true,
      also: eventStream(
        "`{ delta, reasoning?, toolCalls?, logprobs?, finishReason?, usage? }` or `{ error }`, and `[DONE]` for the last",
      ),
      examples: {
        plain: { body: { model: "sim-chat", messages: [{ role: "user", content: "Say hello." }] } },
        bounded: {
          body: {
            model: "sim-messages",
            messages: [{ role: "user", content: "Say hello." }],
            maxTokens: 64,
            temperature: 0.2,
          },
        },
      },
      uses: textServices,
      handler(context, { body: { model }, json }) {
        const style = { headers: { "x-accel-buffering": "no" } };
        const ask = { codec: native, body: json, model, stream: true };
        return generateText(context, ask, style);
      },
    }),
    ...modelSchemaRoutes,
    ...imageRoutes,
    ...videoRoutes,
    ...assetRoutes,
    ...audioRoutes,
  ],
};
