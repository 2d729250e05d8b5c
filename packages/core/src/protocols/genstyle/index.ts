import { type Codec, joinHalves } from "../../codec/codec.ts";
import { caller } from "./caller.ts";
import { provider } from "./provider.ts";
import type { Body, Chunk, Wire } from "./schema.ts";

export type { Body as GenBody, Chunk as GenChunk } from "./schema.ts";

/** Generate content: contents of parts, replies as whole responses that add up. */
export const genstyle: Codec<Wire, Chunk, Body> = /* @__PURE__ */ joinHalves(caller, provider);
