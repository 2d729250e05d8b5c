import type { Json } from "@manifold-gateway/core/codec";
import type { UpstreamProtocol } from "./provider.ts";

/** A protocol as a platform has it that serves other vendors' models. */
export interface PlatformTerms {
  /** The path below the base; the model's name is encoded. */
  endpoint(model: string, stream: boolean): string;
  /** Members of a request that the platform wants changed; `undefined` takes one out. */
  edits: Readonly<Record<string, Json | undefined>>;
}

/** The platforms whose requests differ from their protocols, by the protocol. */
export const platforms = {
  vertex: {
    msgstyle: {
      endpoint: (model, stream) => `/models/${model}:${stream ? "streamRawPredict" : "rawPredict"}`,
      edits: { model: undefined, anthropic_version: "vertex-2023-10-16" },
    },
  },
} satisfies Record<string, Partial<Record<UpstreamProtocol, PlatformTerms>>>;

export type Platform = keyof typeof platforms;
