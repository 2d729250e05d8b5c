import { lookup, type Traits } from "@manifold-gateway/core/codec";
import type { Describer } from "./model-description.ts";
import rows from "./presets.json" with { type: "json" };
import {
  type Auth,
  defineProvider,
  type ProtocolTraits,
  type Provider,
  type UpstreamProtocol,
} from "./provider.ts";
import type { ServesOptions } from "./services.ts";
import type { SurchargeRow } from "./surcharges.ts";

/** A provider that needs at most its key. */
export interface Preset {
  /** The display name. */
  name: string;
  origin: string;
  speaks: readonly UpstreamProtocol[];
  serves?: ServesOptions;
  /** True if it serves the known image and video models of its wires. */
  media?: true;
  /** The environment variable that holds its key; setting it activates the preset. */
  keyVariable?: string;
  /** The environment variable with its address; setting it activates a local preset. */
  originVariable?: string;
  auth?: Auth;
  traits?: Traits;
  protocolTraits?: ProtocolTraits;
  routes?: boolean;
  surcharges?: readonly SurchargeRow[];
  unpriced?: Provider["unpriced"];
  timeouts?: Provider["timeouts"];
  drain?: number;
  describes?: Describer;
}

/**
 * The known providers: rows of `presets.json`, as vendors publish them as of November 2026. Unlike a vendor, an
 * operator's own server bills nothing.
 */
export const presets: Readonly<Record<string, Preset>> = Object.fromEntries(
  Object.entries(rows as unknown as Record<string, Preset>).map(([id, preset]): [string, Preset] => [
    id,
    { ...preset, unpriced: preset.originVariable === undefined ? "refuse" : "forward" },
  ]),
);

/** The preset providers that the environment activates. `env` is only read, never kept. */
export function activePresets(env: Record<string, string | undefined>): Provider[] {
  const active: Provider[] = [];
  for (const [id, preset] of Object.entries(presets)) {
    const key = preset.keyVariable && env[preset.keyVariable];
    const origin = preset.originVariable && env[preset.originVariable];
    if (!origin && (!key || preset.originVariable)) continue;
    active.push(fromPreset(id, { origin: origin || undefined, key: key || undefined }));
  }
  return active;
}

/** Creates the provider of a preset; `over` has the operator's own settings. */
export function fromPreset(
  id: string,
  over: { id?: string; origin?: string | undefined; key?: string | undefined } = {},
): Provider {
  const preset = lookup(presets, id);
  if (!preset) throw new Error(`unknown preset ${id}; known are ${Object.keys(presets).join(", ")}`);
  return defineProvider(over.id ?? id, {
    ...preset,
    origin: over.origin ?? preset.origin,
    key: over.key,
  });
}
