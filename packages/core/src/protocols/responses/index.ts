import { type Codec, joinHalves } from "../../codec/codec.ts";
import { caller } from "./caller.ts";
import { provider } from "./provider.ts";
import type { Body, Chunk, Wire } from "./schema.ts";

/** Responses: a conversation of typed items, replies as items that grow. */
export const responses: Codec<Wire, Chunk, Body> = /* @__PURE__ */ joinHalves(caller, provider);
