import { type Codec, joinHalves } from "../../codec/codec.ts";
import { caller } from "./caller.ts";
import { provider } from "./provider.ts";
import type { Body, Chunk, Wire } from "./schema.ts";

export type { Chunk as NativeChunk } from "./schema.ts";

/** The service's own text wire: plain text in, streamed text out. */
export const native: Codec<Wire, Chunk, Body> = /* @__PURE__ */ joinHalves(caller, provider);
