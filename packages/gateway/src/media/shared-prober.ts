import type { Prober } from "@manifold-gateway/media";
import { createTurns } from "../limits/fair-queue.ts";
import type { Probes } from "../ports/media.ts";

/** Shares a prober fairly: slow files of one account do not delay another's. */
export function shareProber(prober: Pick<Prober, "probe">): Probes {
  const turns = createTurns({ most: 2, each: 1 });
  return { probe: (account, source) => turns(account, () => prober.probe(source)) };
}
