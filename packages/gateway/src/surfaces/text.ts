import type { AnyCodec } from "@manifold-gateway/core";
import { z } from "zod";
import { textServices } from "../generation/services.ts";
import { bodyLimits } from "../http/body.ts";
import { usualRateHeaders } from "../http/rate-headers.ts";
import { documented } from "../openapi/request-schemas.ts";
import { defineRoute, type Surface } from "../route.ts";
import { generateText } from "../text/generate.ts";
import { requestHead } from "./heads.ts";
import { eventStream } from "./shapes/replies.ts";

/** The settings of a surface for a protocol that the host has added. */
export interface TextSurfaceOptions {
  /** A codec of the gateway's `protocols`. */
  codec: AnyCodec;
  /** A sentence for the API reference. */
  about: string;
  /** Default: `/api/` followed by the protocol's name. */
  prefix?: string;
  /** The path of requests. Their body names the model in `model` and requests a stream by `stream`. */
  path: string;
}

/** Creates a surface with a single route for a text protocol. Pass it to `createGateway` in `surfaces`. */
export function textSurface({ codec, about, prefix, path }: TextSurfaceOptions): Surface {
  const name = codec.protocol;
  return {
    name,
    about,
    prefix: prefix ?? `/api/${name}`,
    codec,
    rates: usualRateHeaders,
    routes: [
      defineRoute({
        method: "POST",
        path,
        access: "key",
        summary: "Generate text",
        body: requestHead,
        wire: documented(codec.request.schema, `${name}_request`),
        limits: bodyLimits,
        generates: true,
        explains: true,
        answer: z.looseObject({}),
        also: eventStream("a chunk of the protocol"),
        uses: textServices,
        handler: (context, { body: { model, stream }, json }) =>
          generateText(context, { codec, body: json, model, stream: stream === true }),
      }),
    ],
  };
}
