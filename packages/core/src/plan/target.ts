import type { Capabilities } from "../capability/schema.ts";
import type { AnyProvider } from "../codec/codec.ts";
import type { Traits } from "../codec/traits.ts";
import type { Edits } from "../json/splice.ts";
import type { TraitsStep } from "./explain-losses.ts";

/** A model of a provider, in the protocol in which it is called. */
export interface RequestTarget {
  /** The half of a codec for the provider's protocol. A request in a variant of that protocol is forwarded too. */
  codec: AnyProvider;
  /** The provider's name for the model. */
  model: string;
  /** How the model differs from its protocol. */
  traits?: Traits;
  /** The steps in which `traits` were learnt from refusals, the first before any: losses then say the reason. */
  learnt?: readonly TraitsStep[] | undefined;
  /** What the model accepts. Default: anything. */
  capabilities?: Capabilities | undefined;
  /**
   * The most output tokens of a request without a limit, where the wire demands one and `traits` know a higher limit
   * of the model. Default: the model's.
   */
  outputTokens?: number | undefined;
  /** Members that the provider requires in every body. */
  edits?: Edits | undefined;
  /** The reserved members that are forwarded to this target. Default: none. */
  reserved?: Edits | undefined;
}
