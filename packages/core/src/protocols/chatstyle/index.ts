import { type Codec, joinHalves } from "../../codec/codec.ts";
import { caller } from "./caller.ts";
import { provider } from "./provider.ts";
import type { Body, Chunk, Wire } from "./schema.ts";

export type { Body as ChatBody, Chunk as ChatChunk, Wire as ChatWire } from "./schema.ts";

/** Chat completions: one message a choice, replies as deltas of it. */
export const chatstyle: Codec<Wire, Chunk, Body> = /* @__PURE__ */ joinHalves(caller, provider);
