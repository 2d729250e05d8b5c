import { lookup } from "@manifold-gateway/core/codec";
import type { Preset } from "./preset.ts";

export { presetAddress, presetParts } from "./address.ts";
export type { Preset } from "./preset.ts";

/** The files of presets, the most used first. */
const files: readonly (() => Promise<Readonly<Record<string, Preset>>>)[] = [
  async () => (await import("./makers.ts")).makers,
  async () => (await import("./hosts.ts")).hosts,
  async () => (await import("./clouds.ts")).clouds,
  async () => (await import("./routers.ts")).routers,
  async () => (await import("./servers.ts")).servers,
];

/**
 * Loads the preset of this id, and no more of the others than stand in the same file or before it; undefined if there is
 * none.
 */
export async function loadPreset(id: string): Promise<Preset | undefined> {
  for (const load of files) {
    const preset = lookup(await load(), id);
    if (preset) return preset;
  }
  return undefined;
}
