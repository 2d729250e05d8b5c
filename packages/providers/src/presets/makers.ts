import rows from "./makers.json" with { type: "json" };
import { toPresets } from "./rows.ts";

export const makers = /* @__PURE__ */ toPresets("maker", rows);
