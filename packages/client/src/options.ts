import type { Loss } from "@manifold-gateway/core";
import type { Capabilities } from "@manifold-gateway/core/capability";
import type { Traits } from "@manifold-gateway/core/codec";
import type { Usage } from "@manifold-gateway/core/ir";
import type { PresetId } from "@manifold-gateway/providers/presets";
import type { ProviderOptions } from "@manifold-gateway/providers/provider";
import type { Attempt } from "@manifold-gateway/providers/routing";
import type { TokenPrice } from "./catalog/cost.ts";

/**
 * A provider: one that is declared by its address and protocols, or a preset with settings of one's own. An id that is
 * a preset's needs no `preset`.
 */
export interface ProviderSettings
  extends Partial<
    Pick<
      ProviderOptions,
      | "origin"
      | "speaks"
      | "basePaths"
      | "serves"
      | "key"
      | "auth"
      | "platform"
      | "headers"
      | "traits"
      | "protocolTraits"
      | "timeouts"
    >
  > {
  /** The preset that gives what is not set here. Default: the one of the provider's id, if there is one. */
  preset?: PresetId;
  /** The parts of a preset's address, such as `{ region: "eu-west-1" }`. */
  parts?: Readonly<Record<string, string>>;
}

/** A model of a provider: `"groq/llama-4"`. The name behind the first slash may hold further slashes and colons. */
export type TargetName<Provider extends string = string> = `${Provider}/${string}`;

/** A target with what is known of its model. */
export interface TargetOptions<Provider extends string = string> {
  /** The model: `"groq/llama-4"`. */
  target: TargetName<Provider>;
  /** What the model accepts: a request for more is refused before it is sent. Default: anything. */
  capabilities?: Capabilities;
  /** How the model differs from its protocol, beyond what is known of its family and its provider. */
  traits?: Traits;
  /** The price by which `onUsage` states a cost. Default: that of the public list, for providers at their own address. */
  price?: TokenPrice;
}

/** A model of a provider, by its name alone or with what is known of it. */
export type Target<Provider extends string = string> = TargetName<Provider> | TargetOptions<Provider>;

/** One target, or several in the order in which they are tried. */
export type Targets<Provider extends string = string> = Target<Provider> | readonly Target<Provider>[];

/** The request that an event is about. */
export interface CallEvent {
  /** The model as the caller wrote it. */
  model: string;
  /** The target: `provider/name`. */
  target: string;
  /** The provider's id. */
  provider: string;
  /** The `x-request-id` of the answer. */
  requestId: string;
}

/** Something that the provider's protocol cannot express of a request, or the caller's of a reply. */
export interface LossEvent extends CallEvent, Loss {
  /** Whether the request or the reply lost it. */
  of: "request" | "reply";
}

/** What an answer used, mostly tokens; also of one that broke off or was left: what was seen of it. */
export interface UsageEvent extends CallEvent {
  /** Tokens, as the provider counted them, or with `estimated` where it did not: four bytes are taken for a token. */
  usage: Usage & {
    estimated?: boolean;
    /** Searches of a ranking, where its provider bills these. */
    searchUnits?: number;
    /** Seconds of sound. */
    seconds?: number;
    /** Characters of a text that was spoken. */
    characters?: number;
  };
  /** Its cost in micro-USD, a whole number; absent if the price of the target is unknown. */
  cost?: number;
}

/** One call of a provider, with its status or the fault that left it without one. */
export interface AttemptEvent extends CallEvent, Omit<Attempt, "entry"> {}

/** The ids that the targets of a client may begin with. */
export type KnownProvider<Providers> = (keyof Providers & string) | PresetId;

/** Settings of `createFetch`, `createHandler` and `createManifold`; all have defaults. */
export interface ClientOptions<
  Providers extends Record<string, ProviderSettings>,
  Models extends string,
  Ids extends string = KnownProvider<NoInfer<Providers>>,
> {
  /** Providers by id. Presets need no entry: their key is read from their vendor's usual variable. */
  providers?: Providers;
  /** Aliases of models, each with its targets in the order in which they are tried. */
  models?: Readonly<Record<Models, Targets<Ids>>>;
  /** `refuse`: a request of which something would be lost is refused. Default `allow`. */
  losses?: "allow" | "refuse";
  /** `false`: capabilities of targets are not compared with requests before these are sent. Default `true`. */
  check?: boolean;
  /**
   * The most calls for one request (default 3), whether to call again after a failure for which the provider may have
   * charged (default `false`), and the longest pause in milliseconds before the last target is called again (default 0:
   * it is not).
   */
  retry?: { attempts?: number; ambiguous?: boolean; wait?: number };
  /** Sends the requests to providers. Default: the runtime's `fetch`. */
  fetch?: (request: Request) => Response | Promise<Response>;
  /** The variables that hold keys. Default: those of the process, read when a provider is called first. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds until the first byte of an answer (default 600,000), and between two bytes (default 60,000). */
  timeouts?: { firstByte?: number; idle?: number };
  /** Called for each loss: of a target once for each member, unless `repeatLosses` is set. Not awaited. */
  onLoss?(event: LossEvent): void;
  /** Reports the losses of every request. */
  repeatLosses?: boolean;
  /** Called for each call of a provider. Not awaited. */
  onAttempt?(event: AttemptEvent): void;
  /** Called once for each answer that has usage. Not awaited. */
  onUsage?(event: UsageEvent): void;
}

/** The options of any client. */
export type AnyOptions = ClientOptions<Record<string, ProviderSettings>, string>;
