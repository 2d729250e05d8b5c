import type { Log } from "@manifold-gateway/gateway";
import type { Store } from "@manifold-gateway/store";
import type { LiveCatalog } from "../../catalog/live-catalog.ts";
import { placeOf } from "../declarations.ts";
import { doubtsOf } from "./index.ts";
import { unknownAccounts } from "./references.ts";

/** Logs the doubts about the settings in force. The catalog has the models that providers list as well. */
export async function warnOfDoubts(
  live: Pick<LiveCatalog, "base" | "config" | "catalog">,
  store: Store,
  log: Log,
): Promise<void> {
  const config = live.config();
  const listed = live.catalog.list().map(({ id }) => id);
  for (const { path, line } of [...doubtsOf(config, listed), ...(await unknownAccounts(config, store))])
    log.warn(
      { finding: `${placeOf(live.base().source, path)}${line}` },
      "a setting is probably not meant as it is",
    );
}
