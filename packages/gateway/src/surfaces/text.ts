import type { AnyCodec } from "@manifold-gateway/core";
import { z } from "zod";
import { bodyLimits } from "../http/body.ts";
import { usualRateHeaders } from "../restrictions/headers.ts";
import { defineRoute, type Surface } from "../route.ts";
import { generateText } from "../text/generate.ts";
import { requestHead } from "./heads.ts";
import { eventStream } from "./shapes/replies.ts";

/** The settings of a surface for a protocol of the host's own. */
export interface TextSurfaceOptions {
  /** A codec that `registerProtocol` has been given. */
  codec: AnyCodec;
  /** A sentence for the API reference. */
  about: string;
  /** Default: `/api/` and the protocol's name. */
  prefix?: string;
  /** The path of its requests, which name their model in `model` and ask for a stream by `stream`. */
  path: string;
}

/** A surface with the one route of a text protocol. Pass it to `createGateway` in `surfaces`. */
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
        wire: codec.request.schema.meta({ id: `${name}_request` }),
        limits: bodyLimits,
        generates: true,
        explains: true,
        answer: z.looseObject({}),
        also: eventStream("a chunk of the protocol"),
        handler: (context, { body: { model, stream }, json }) =>
          generateText(context, { codec, body: json, model, stream: stream === true }),
      }),
    ],
  };
}
