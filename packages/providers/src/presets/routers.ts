import rows from "./routers.json" with { type: "json" };
import { toPresets } from "./rows.ts";

export const routers = /* @__PURE__ */ toPresets("router", rows);
