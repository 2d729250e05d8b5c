import type { Protocol } from "@manifold-gateway/core";
import type { JsonObject, Traits } from "@manifold-gateway/core/codec";
import { protocolNames } from "@manifold-gateway/core/ir";
import type { UpstreamProtocol } from "@manifold-gateway/providers";

export { upstreams } from "../support/wires/index.ts";

/** What callers speak, or could speak if it had a surface, and what providers speak. */
export const surfaces = protocolNames;
export type Surface = Protocol;
export type Upstream = UpstreamProtocol;

/**
 * One row of the matrix. `said` is how each protocol says the feature, without anything else: laid over the
 * smallest request (or reply) of the protocol it is the probe, and as a pattern it is what has to be found on the
 * other side. A protocol that is missing has no words for it.
 */
export interface Feature {
  name: string;
  /** What is known of the model, where that decides. */
  traits?: Traits;
  said: Partial<Record<Surface, JsonObject>>;
  /** Patterns of protocols that cannot say it but write something near. */
  near?: Partial<Record<Surface, JsonObject>>;
  /** A word of the probe: found anywhere else than where it belongs, it came in another form. */
  word?: string;
  /** Patterns where a wire has a second form, which means the same: what we write, where clients write `said`. */
  alike?: Partial<Record<Surface, JsonObject>>;
}

/**
 * `ask`: the caller says it, upstream has to hear it. `answer`: upstream says it, the caller has to hear it.
 * `echo`: upstream said it, the caller sends the reply back in the next turn, upstream has to hear it again.
 */
export type Way = "ask" | "answer" | "echo";

export interface Chapter {
  title: string;
  way: Way;
  features: Feature[];
}
