import { lookup } from "@manifold-gateway/core/codec";
import {
  assertNames,
  createProvider,
  type Identity,
  type IdentityOptions,
  type Provider,
  type ProviderOptions,
} from "@manifold-gateway/providers/provider";
import type { AnyOptions, ProviderSettings } from "../options.ts";
import { ClientRefusal } from "../reply/failure.ts";
import type { Variable } from "./variables.ts";

/** The known providers that a client has. */
export interface PresetSource {
  has(id: string): Promise<boolean>;
  /**
   * The options of a provider by a preset; undefined if there is no such preset. Throws a refusal if its key or its
   * address is missing.
   */
  options(id: string, settings: ProviderSettings, variable: Variable): Promise<ProviderOptions | undefined>;
  /** Makes the identity of a provider that is not called with a key. */
  identify?(options: IdentityOptions): Identity;
}

/** A client without presets and identities. */
export const noPresets: PresetSource = { has: async () => false, options: async () => undefined };

/** The names of a provider's settings. */
const SETTINGS: { readonly [name in keyof Required<ProviderSettings>]: 0 } = {
  preset: 0,
  parts: 0,
  origin: 0,
  speaks: 0,
  basePaths: 0,
  serves: 0,
  key: 0,
  auth: 0,
  platform: 0,
  headers: 0,
  traits: 0,
  protocolTraits: 0,
  timeouts: 0,
};

/** The providers of a client, each made when it is called first. */
export interface ProviderTable {
  has(id: string): Promise<boolean>;
  /** The provider of an id. Throws a refusal if its key or its address is missing. */
  get(id: string): Promise<Provider>;
}

export function createProviderTable(
  providers: NonNullable<AnyOptions["providers"]>,
  presets: PresetSource,
  variable: Variable,
): ProviderTable {
  const made = new Map<string, Provider>();
  return {
    has: async (id) => Object.hasOwn(providers, id) || presets.has(id),
    async get(id) {
      const before = made.get(id);
      if (before) return before;
      const settings = lookup(providers, id) ?? {};
      refusing(() => assertNames(`providers.${id}`, settings, SETTINGS));
      const options = (await presets.options(id, settings, variable)) ?? declared(id, settings);
      const provider = refusing(() =>
        createProvider(id, { ...options, origin: absolute(options.origin) }, presets.identify),
      );
      // Requests at the same time share one provider, by whose object the health of its credentials is kept.
      const first = made.get(id) ?? provider;
      made.set(id, first);
      return first;
    },
  };
}

function declared(
  id: string,
  { preset, parts: _, origin, speaks, ...settings }: ProviderSettings,
): ProviderOptions {
  if (preset === undefined && origin !== undefined && speaks !== undefined)
    return { ...settings, origin, speaks };
  const text =
    preset === undefined
      ? "needs `origin` and `speaks`, or a known `preset`"
      : `the preset '${preset}' is not known`;
  throw new ClientRefusal(404, "invalid_provider", `providers.${id}: ${text}.`);
}

/** An address with a host: in a page it may be a path. */
function absolute(origin: string): string {
  const page = globalThis.location?.href;
  return URL.canParse(origin, page) ? new URL(origin, page).href : origin;
}

/** Makes a provider, or refuses the request for what is wrong with its options. */
function refusing<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ClientRefusal(404, "invalid_provider", error.message);
  }
}
