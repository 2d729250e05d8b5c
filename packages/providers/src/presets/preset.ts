import type { Traits } from "@manifold-gateway/core/codec";
import type { Auth } from "../auth.ts";
import type { IdentityOptions } from "../identity/index.ts";
import type { Describer } from "../model-description.ts";
import type { Platform } from "../platforms.ts";
import type {
  ProtocolTraits,
  Provider,
  ProviderBatches,
  ProviderOptions,
  UpstreamProtocol,
} from "../provider.ts";
import type { ServesOptions } from "../services.ts";
import type { SurchargeRow } from "../surcharges.ts";

/** The kinds of known providers: each has its file of rows. A `server` is the operator's own, and bills nothing. */
export type PresetKind = "maker" | "host" | "cloud" | "router" | "server";

/** Endpoints that a provider has besides those that this service calls. */
export type OtherEndpoint = "rerank" | "transcription" | "images" | "speech" | "embeddings";

/** A part of an address that differs between accounts, such as a region. */
export interface PresetPart {
  /** The environment variables that hold it: the first one that is set applies. */
  variables?: readonly string[];
  /** The value where no variable is set. */
  default?: string;
}

/** A row of the table: a provider that needs at most its key, and the parts of its address. */
export interface PresetRow {
  /** The display name. */
  name: string;
  /** The base URL. `{region}` stands for the part of that name. */
  origin: string;
  /** The base URLs of regions that have one of their own; the part `region` selects one. */
  regions?: Readonly<Record<string, string>>;
  /** The parts of the base URL, by name. */
  parts?: Readonly<Record<string, PresetPart>>;
  /** The protocols that it speaks. Of several, the one that loses the least of a request is used, then the first. */
  speaks: readonly UpstreamProtocol[];
  /** The base paths of protocols that are not at `origin`. */
  basePaths?: ProviderOptions["basePaths"];
  /** Where its list of models is, if it is elsewhere. */
  listing?: ProviderOptions["listing"];
  /** Its services besides text. */
  serves?: ServesOptions;
  /** The batches that it runs by itself. */
  batches?: ProviderBatches;
  /** Endpoints that no adapter here calls, for the page of providers. */
  also?: readonly OtherEndpoint[];
  /** True if it serves known models of its wires besides those of text. */
  media?: true;
  /** The environment variable that holds its key. */
  keyVariable?: string;
  /** The environment variable that names a file with its identity. */
  identityVariable?: string;
  /** The environment variable with its address; setting it activates the preset. */
  originVariable?: string;
  /**
   * What activates the preset: its variable, always; or only the configuration file, because the variable is usually
   * set for other reasons. Default: its variable, unless a provider in the configuration file uses that.
   */
  activation?: "variable" | "file";
  /** How calls are authenticated, if not as the protocol's usual servers do. */
  auth?: Auth | IdentityOptions;
  /** Headers of every call. */
  headers?: Record<string, string>;
  /** The platform, if requests there differ from their protocols. */
  platform?: Platform;
  /** The traits of all its models. */
  traits?: Traits;
  /** The traits on single protocols. */
  protocolTraits?: ProtocolTraits;
  /** True if it is a router itself. */
  routes?: boolean;
  /** The public price list's name for it, if it is found neither by its own name nor by its address. */
  priceList?: string;
  /** Times of its own, in milliseconds. */
  timeouts?: Provider["timeouts"];
  /** The reader of its descriptions of models, besides its listing. */
  describes?: Describer;
  /** The places from which the row was read: pages of vendors, files of public repositories. */
  sources?: readonly string[];
  /** The month in which they were read, `2026-11`. */
  read?: string;
  /** The members of the row for which there is only one source, or none that says it plainly. */
  unsure?: readonly string[];
  /** A sentence for the page of providers. */
  note?: string;
}

/** A known provider. */
export interface Preset extends PresetRow {
  /** What kind of provider it is. */
  kind: PresetKind;
  /** The items that it bills besides tokens: its rows of `surcharges.json`. */
  surcharges?: readonly SurchargeRow[];
  /** See `Provider.unpriced`. */
  unpriced?: Provider["unpriced"];
  /** See `Provider.drain`. */
  drain?: number;
}
