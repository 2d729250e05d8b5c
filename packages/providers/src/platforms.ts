import type { Json } from "@manifold-gateway/core/codec";
import { messageEvents } from "./frames/messages.ts";
import type { Framing } from "./frames/reframe.ts";
import type { UpstreamProtocol } from "./provider.ts";

/** A protocol as a platform has it that serves other vendors' models. */
export interface PlatformTerms {
  /** The path below the base; the model's name is encoded. */
  endpoint(model: string, stream: boolean): string;
  /** The path that endpoints stand below where the provider's address has none. Default: the protocol's. */
  base?: string;
  /** Members of a request that the platform wants changed; `undefined` takes one out. */
  edits: Readonly<Record<string, Json | undefined>>;
  /** The member that takes the flags of betas, where the platform reads no header with them. */
  betas?: string;
  /** Default: streams are server-sent events. */
  framing?: Framing;
}

/** The platforms whose requests differ from their protocols, by the protocol. */
export const platforms = {
  vertex: {
    msgstyle: {
      endpoint: (model, stream) => `/models/${model}:${stream ? "streamRawPredict" : "rawPredict"}`,
      edits: { model: undefined, anthropic_version: "vertex-2023-10-16" },
    },
  },
  bedrock: {
    msgstyle: {
      base: "",
      endpoint: (model, stream) => `/model/${model}/${stream ? "invoke-with-response-stream" : "invoke"}`,
      edits: { model: undefined, stream: undefined, anthropic_version: "bedrock-2023-05-31" },
      betas: "anthropic_beta",
      framing: { contentType: "application/vnd.amazon.eventstream", read: messageEvents },
    },
  },
} satisfies Record<string, Partial<Record<UpstreamProtocol, PlatformTerms>>>;

export type Platform = keyof typeof platforms;
