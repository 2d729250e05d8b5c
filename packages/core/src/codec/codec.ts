import { dialect } from "../dialect/index.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { CallerCodec } from "./caller-codec.ts";
import type { ProviderCodec } from "./provider-codec.ts";

/**
 * Both directions between one protocol and the IR: the half for its callers and the half for its providers. Pure and
 * total: the same inputs give the same outputs, and nothing that a client or a model wrote makes it throw. The laws that
 * tie the directions together:
 *
 *     gather(burst(body))                      = body
 *     fold(run(reply.decode(), chunks))        = fold(run(reply.decode(), burst(body)))      of the same reply
 *     request.decode(request.encode(r))        = r
 *     fold(run(reply.decode(), run(reply.encode(head), unfold(reply)))) = reply
 */
export type Codec<Wire = JsonObject, Chunk = Json, Body = JsonObject> = CallerCodec<Wire, Chunk, Body> &
  ProviderCodec<Wire>;

// biome-ignore-start lint/suspicious/noExplicitAny: a codec's own wire types matter only inside its folder
/** A codec of any protocol: one that is chosen at run time. */
export type AnyCodec = Codec<any, any, any>;
/** The half for callers of any protocol. */
export type AnyCaller = CallerCodec<any, any, any>;
/** The half for providers of any protocol. */
export type AnyProvider = ProviderCodec<any>;
// biome-ignore-end lint/suspicious/noExplicitAny: as above

/** Makes a codec of its halves, which writes schemas as well. */
export const joinHalves = <Wire, Chunk, Body>(
  caller: CallerCodec<Wire, Chunk, Body>,
  provider: ProviderCodec<Wire>,
): Codec<Wire, Chunk, Body> => ({
  ...caller,
  ...provider,
  dialect,
  request: {
    ...caller.request,
    encode: (request, lose, traits, using = dialect) => provider.request.encode(request, lose, traits, using),
  },
  reply: { ...caller.reply, ...provider.reply },
  frame: { ...caller.frame, ...provider.frame },
  failure: { ...caller.failure, ...provider.failure },
});
