import type { MediaSource, Prober } from "@manifold/media";
import { createTurns } from "./turns.ts";

/** Probes files for accounts. */
export interface Probes {
  /** See `Prober`. */
  probe(account: string, source: MediaSource): ReturnType<Prober["probe"]>;
}

/** A prober shared fairly: files of one account that take long hold up nobody else's. */
export function shareProber(prober: Pick<Prober, "probe">): Probes {
  const turns = createTurns({ most: 2, each: 1 });
  return { probe: (account, source) => turns(account, () => prober.probe(source)) };
}
