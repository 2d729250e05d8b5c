import { type Codec, joinHalves } from "../../codec/codec.ts";
import { caller } from "./caller.ts";
import { provider } from "./provider.ts";
import type { Body, Chunk, Wire } from "./schema.ts";

export type { Body as MessagesBody, Chunk as MessagesChunk } from "./schema.ts";

/** The messages protocol: a system prompt, turns of content blocks, and blocks that are streamed one by one. */
export const msgstyle: Codec<Wire, Chunk, Body> = /* @__PURE__ */ joinHalves(caller, provider);
