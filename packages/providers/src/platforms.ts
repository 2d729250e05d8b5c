import type { Json, Traits } from "@manifold-gateway/core/codec";
import { messageEvents } from "./frames/messages.ts";
import { BINARY, type Framing } from "./frames/reframe.ts";
import { bedrockBetas, vertexBetas } from "./platform-betas.ts";
import type { UpstreamProtocol } from "./provider.ts";

/** The differences of a protocol on a platform that serves other vendors' models. */
export interface PlatformTerms {
  /** The path below the base, with the model's name encoded. */
  endpoint(model: string, stream: boolean): string;
  /** The base path of endpoints if the provider's address has none. Default: the protocol's. */
  base?: string;
  /** Members to set in each request; `undefined` removes one. */
  edits: Readonly<Record<string, Json | undefined>>;
  /** The beta flags that the platform takes: it refuses requests with others. */
  betas: ReadonlySet<string>;
  /** The member for beta flags, if the platform does not read them from a header. */
  betasMember?: string;
  /** How its servers differ from the vendor's own. */
  traits: Traits;
  /** The framing of streams. Default: server-sent events. */
  framing?: Framing;
}

/** What the vendor's own servers take alone, as its newer clients send it. */
const traits: Traits = { requestWithout: ["cacheScope", "eagerInput", "requestCache"] };

/** The platforms whose requests differ from their protocols, by the protocol. */
export const platforms = {
  vertex: {
    msgstyle: {
      endpoint: (model, stream) => `/models/${model}:${stream ? "streamRawPredict" : "rawPredict"}`,
      edits: { model: undefined, anthropic_version: "vertex-2023-10-16" },
      betas: vertexBetas,
      traits,
    },
  },
  bedrock: {
    msgstyle: {
      base: "",
      endpoint: (model, stream) => `/model/${model}/${stream ? "invoke-with-response-stream" : "invoke"}`,
      edits: { model: undefined, stream: undefined, anthropic_version: "bedrock-2023-05-31" },
      betas: bedrockBetas,
      betasMember: "anthropic_beta",
      traits,
      framing: { contentType: BINARY, read: messageEvents },
    },
  },
} satisfies Record<string, Partial<Record<UpstreamProtocol, PlatformTerms>>>;

/** A platform on which requests differ from their protocols: a key of `platforms`. */
export type Platform = keyof typeof platforms;
