import type { Prober } from "@manifold-gateway/media";
import { Slots } from "@manifold-gateway/providers/routing";
import type { Probes } from "../ports/media.ts";

/** Shares a prober fairly: slow files of one account do not delay another's. */
export function shareProber(prober: Pick<Prober, "probe">): Probes {
  const slots = new Slots({ total: 2, each: 1 });
  return { probe: (account, source) => slots.run(account, () => prober.probe(source)) };
}
