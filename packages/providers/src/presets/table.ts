import { clouds } from "./clouds.ts";
import { hosts } from "./hosts.ts";
import { makers } from "./makers.ts";
import type { Preset } from "./preset.ts";
import { routers } from "./routers.ts";
import { servers } from "./servers.ts";

/** The known providers: rows of the files beside this one, as vendors publish them as of November 2026. */
export const presets: Readonly<Record<string, Preset>> = {
  ...makers,
  ...hosts,
  ...clouds,
  ...routers,
  ...servers,
};
