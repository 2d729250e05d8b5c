import { lookup } from "@manifold-gateway/core/codec";
import { defineProvider } from "../define-provider.ts";
import type { Provider } from "../provider.ts";
import { presetAddress } from "./address.ts";
import { presets } from "./table.ts";

/**
 * The preset providers that the environment activates. `env` is only read, never kept. `used` are the variables that
 * the configuration's own providers use.
 */
export function activePresets(
  env: Record<string, string | undefined>,
  used: ReadonlySet<string> = new Set(),
): Provider[] {
  const active: Provider[] = [];
  for (const [id, preset] of Object.entries(presets)) {
    const { keyVariable, originVariable, activation } = preset;
    const key = keyVariable && env[keyVariable];
    const origin = originVariable && env[originVariable];
    if (activation === "file" || (!origin && (!key || originVariable))) continue;
    if (activation === undefined && used.has((originVariable ?? keyVariable) as string)) continue;
    active.push(fromPreset(id, { origin: origin || undefined, key: key || undefined }));
  }
  return active;
}

/**
 * Creates the provider of a preset; `over` has the operator's own settings. Throws if there is no such preset, or if a
 * part of its address is missing.
 */
export function fromPreset(
  id: string,
  over: {
    id?: string;
    origin?: string | undefined;
    key?: string | undefined;
    parts?: Readonly<Record<string, string>>;
  } = {},
): Provider {
  const preset = lookup(presets, id);
  if (!preset) throw new Error(`unknown preset ${id}; known are ${Object.keys(presets).join(", ")}`);
  const address = over.origin === undefined ? presetAddress(preset, over.parts ?? {}, {}) : over;
  if (address.origin === undefined) {
    const [problem] = "problems" in address ? address.problems : [];
    throw new Error(`preset ${id}: parts.${problem?.part} ${problem?.text}`);
  }
  const { traits, protocolTraits, ...rest } = preset;
  return defineProvider(over.id ?? id, {
    ...rest,
    origin: address.origin,
    key: over.key,
    serverTraits: { ...(traits && { traits }), ...(protocolTraits && { protocolTraits }) },
  });
}
