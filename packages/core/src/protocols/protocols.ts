import type { AnyCodec } from "../codec/codec.ts";
import type { Protocol } from "../ir/part.ts";
import { joinFacts, type Wires } from "./facts.ts";
import { codecs } from "./index.ts";

/** The protocols that a program has: their codecs by name, and the facts of their wires. */
export interface Protocols extends Wires {
  /** The codecs by the names of their protocols. */
  readonly codecs: Readonly<Record<Protocol, AnyCodec>>;
}

/**
 * Makes the protocols of a program, of the library's codecs and further ones:
 * `createProtocols([...Object.values(codecs), mine])`. Throws if two have the same name, or the same `facts.letter`.
 */
export function createProtocols(all: readonly AnyCodec[]): Protocols {
  const byName = new Map<Protocol, AnyCodec>();
  for (const codec of all) {
    if (byName.has(codec.protocol)) throw new Error(`There are two protocols called '${codec.protocol}'.`);
    byName.set(codec.protocol, codec);
  }
  const facts = all.map((codec) => [codec.protocol, codec.facts]);
  return Object.freeze({
    ...joinFacts(Object.fromEntries(facts)),
    codecs: Object.freeze(Object.fromEntries(byName)) as Protocols["codecs"],
  });
}

/** The library's own protocols. */
export const protocols: Protocols = /* @__PURE__ */ createProtocols(/* @__PURE__ */ Object.values(codecs));
