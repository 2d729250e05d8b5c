export { activePresets, fromPreset } from "./active.ts";
export { type PresetAddress, presetAddress, presetParts } from "./address.ts";
export type { Preset, PresetKind, PresetPart, PresetRow } from "./preset.ts";
export type { PresetId } from "./preset-id.ts";
export { presets } from "./table.ts";
export { traitsAt } from "./traits-at.ts";
