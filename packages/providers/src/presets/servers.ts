import { toPresets } from "./rows.ts";
import rows from "./servers.json" with { type: "json" };

export const servers = /* @__PURE__ */ toPresets("server", rows);
