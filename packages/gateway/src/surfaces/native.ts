import { native } from "@manifold/core";
import { z } from "zod";
import { readJson } from "../http/body.ts";
import { withIdempotency } from "../idempotency.ts";
import { activeModels, findModel, toModel } from "../models.ts";
import type { Surface } from "../route.ts";
import { generateText } from "../text/generate.ts";
import { parse } from "./heads.ts";

const inputs = ["text", "image", "file", "video", "audio"] as const;

/** Filters of the model list. */
const modelFilter = z.object({
  inputModalities: z.enum(inputs).optional(),
  outputModalities: z.enum([...inputs, "embedding"]).optional(),
});

/** The native interface. */
export const nativeSurface: Surface = {
  name: "native",
  prefix: "/api/v1",
  routes: [
    {
      method: "GET",
      path: "/ai/models",
      access: "caller",
      summary: "List the active models",
      handler: ({ services, exchange }) => {
        const { inputModalities: input, outputModalities: output } = parse(modelFilter, {
          inputModalities: exchange.query("inputModalities"),
          outputModalities: exchange.query("outputModalities"),
        });
        const models = activeModels(
          services.catalog,
          (model) =>
            (input === undefined || model.inputModalities.includes(input)) &&
            (output === undefined || model.outputModalities.includes(output)),
        );
        return { body: models.map(toModel) };
      },
    },
    {
      method: "GET",
      path: "/ai/models/**:modelId",
      access: "caller",
      summary: "Read one active model",
      handler: ({ services, params }) => ({
        body: toModel(findModel(services.catalog, params.modelId ?? "")),
      }),
    },
    {
      method: "POST",
      path: "/text/completions",
      access: "caller",
      summary: "Text completion, always streamed",
      async handler(context) {
        const body = await readJson(context.exchange);
        const { model } = parse(native.request.schema as z.ZodType<{ model: string }>, body.value);
        const style = { headers: { "x-accel-buffering": "no" } };
        const ask = { codec: native, body, model, stream: true };
        return withIdempotency(context, body, () => generateText(context, ask, style));
      },
    },
  ],
};
