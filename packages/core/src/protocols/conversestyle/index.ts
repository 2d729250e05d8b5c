import { type Codec, joinHalves } from "../../codec/codec.ts";
import { caller } from "./caller.ts";
import { provider } from "./provider.ts";
import type { Body, Chunk, Wire } from "./schema.ts";

/**
 * The converse protocol: a model in the path, turns of blocks that one member names, and events that are streamed in
 * binary frames. A chunk here is a record with the event under the name of its type.
 */
export const conversestyle: Codec<Wire, Chunk, Body> = /* @__PURE__ */ joinHalves(caller, provider);
