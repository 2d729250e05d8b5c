import rows from "./hosts.json" with { type: "json" };
import { toPresets } from "./rows.ts";

export const hosts = /* @__PURE__ */ toPresets("host", rows);
