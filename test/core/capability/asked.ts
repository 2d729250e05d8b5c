import { codecs, type Protocol, traceOrigins } from "@manifold-gateway/core";
import { type Ask, askOf } from "@manifold-gateway/core/capability";
import type { JsonObject } from "@manifold-gateway/core/codec";

/** What a body of a protocol wants. */
export function asked(protocol: Protocol, wire: JsonObject): Ask {
  const codec = codecs[protocol];
  const origins = traceOrigins(codec.params);
  const parsed = codec.request.schema.parse(wire) as never;
  return askOf({ ...codec.request.decode(parsed, origins.trace), model: "m" }, { codec, wire, origins });
}
export const places = (ask: Ask): Record<string, string> =>
  Object.fromEntries(ask.params.filter(({ extra }) => !extra).map(({ name, path }) => [name, path]));
