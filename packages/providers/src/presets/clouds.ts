import rows from "./clouds.json" with { type: "json" };
import { toPresets } from "./rows.ts";

export const clouds = /* @__PURE__ */ toPresets("cloud", rows);
