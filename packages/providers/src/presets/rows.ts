import type { SurchargeRow } from "../surcharges.ts";
import type { Preset, PresetKind, PresetRow } from "./preset.ts";
import surcharges from "./surcharges.json" with { type: "json" };

/** The milliseconds to the first byte of an answer without a stream, which may take minutes of thinking. */
const FIRST_BYTE = 600_000;

/** The settings that all presets of a kind have, unless a row says otherwise. */
const usual: Record<PresetKind, Partial<Preset>> = {
  maker: { unpriced: "refuse" },
  host: { unpriced: "refuse" },
  cloud: { unpriced: "refuse" },
  router: { unpriced: "refuse" },
  // Unlike a vendor, an operator's own server bills nothing, so calls of clients that have left are cancelled at once.
  server: { unpriced: "forward", timeouts: { firstByte: FIRST_BYTE, idle: 120_000 }, drain: 0 },
};

/** The presets of the rows of a file. */
export const toPresets = (kind: PresetKind, rows: object): Readonly<Record<string, Preset>> =>
  Object.fromEntries(
    Object.entries(rows as Record<string, PresetRow>).map(([id, row]) => [
      id,
      {
        kind,
        ...(row.speaks.length > 0 && { timeouts: { firstByte: FIRST_BYTE } }),
        ...usual[kind],
        ...(id in surcharges && {
          surcharges: surcharges[id as keyof typeof surcharges] as readonly SurchargeRow[],
        }),
        ...row,
      },
    ]),
  );
