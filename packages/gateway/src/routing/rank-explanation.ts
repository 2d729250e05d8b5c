import { toUsd } from "@manifold-gateway/store";
import type { Preferences } from "./preferences.ts";
import { decisions, type Rule, type Standing } from "./rank.ts";

/** A candidate's place in the order, as an explanation shows it. */
export interface Placement {
  /** The value for each rule of the order. */
  rank: {
    /** The place of its provider in `provider.order`, from 0; null if it is not listed. */
    order: number | null;
    /** 0: it served the conversation; 1: it can read its seals; 2: neither. */
    conversation: 0 | 1 | 2;
    /** Whether it demanded a pause that is not over. */
    pause: boolean;
    /** The value to sort by, for `provider.sort`; null without that, or if it is not known yet. */
    sort: number | null;
    /** Whether it speaks the caller's protocol. */
    protocol: boolean;
    priority: number;
    /** Its weighted draw for the conversation: higher goes first; null if its priority has no weights. */
    weight: number | null;
    failures: number;
    /** US dollars. */
    price: number;
  };
  /** The rule by which it comes after the candidate before it. */
  decidedBy?: Rule;
  /** The name of the credential for its call, if its provider has several. */
  credential?: string;
}

const sortedBy = (entry: Standing, sort: Preferences["sort"]): number | null => {
  if (sort === undefined) return null;
  return (sort === "price" ? toUsd(entry.price) : entry[sort]) ?? null;
};

/** The places of entries that are already in order. */
export function placementsOf(
  ranked: readonly Standing[],
  preferences: Pick<Preferences, "order" | "sort">,
): Placement[] {
  const decided = decisions(ranked, preferences);
  return ranked.map((entry, at) => {
    const order = preferences.order?.indexOf(entry.provider) ?? -1;
    const decidedBy = decided[at];
    return {
      rank: {
        order: order < 0 ? null : order,
        conversation: entry.affinity,
        pause: entry.cooling,
        sort: sortedBy(entry, preferences.sort),
        protocol: entry.native,
        priority: entry.priority,
        weight: entry.draw ?? null,
        failures: entry.failures,
        price: toUsd(entry.price),
      },
      ...(decidedBy && { decidedBy }),
    };
  });
}
