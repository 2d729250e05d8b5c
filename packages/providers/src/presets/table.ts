import type { SurchargeRow } from "../surcharges.ts";
import clouds from "./clouds.json" with { type: "json" };
import hosts from "./hosts.json" with { type: "json" };
import makers from "./makers.json" with { type: "json" };
import type { Preset, PresetKind, PresetRow } from "./preset.ts";
import routers from "./routers.json" with { type: "json" };
import servers from "./servers.json" with { type: "json" };
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

const toPresets = (kind: PresetKind, rows: object): [id: string, preset: Preset][] =>
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
  ]);

/** The known providers: rows of the files beside this one, as vendors publish them as of November 2026. */
export const presets: Readonly<Record<string, Preset>> = Object.fromEntries([
  ...toPresets("maker", makers),
  ...toPresets("host", hosts),
  ...toPresets("cloud", clouds),
  ...toPresets("router", routers),
  ...toPresets("server", servers),
]);
