import { toUsd } from "@manifold-gateway/store";
import type { Preferences } from "./preferences.ts";
import { decisions, type Rule, type Standing } from "./rank.ts";

/** A candidate's place in the order, as an explanation has it. */
export interface Placed {
  /** By the names of the rules. */
  rank: {
    /** The place of its provider in `provider.order`, from 0; null where it is not named. */
    order: number | null;
    /** 0: it served the conversation; 1: it can read its seals; 2: neither. */
    conversation: 0 | 1 | 2;
    /** It demanded a pause that is not over. */
    pause: boolean;
    /** What `provider.sort` asks for; null where it asks for nothing, or that is not known yet. */
    sort: number | null;
    /** It speaks the caller's protocol. */
    protocol: boolean;
    priority: number;
    /** Its draw for the conversation, by its weight: higher goes first; null where its priority has no weights. */
    weight: number | null;
    failures: number;
    /** US dollars. */
    price: number;
  };
  /** The rule by which it comes after the candidate before it. */
  decidedBy?: Rule;
  /** The name of the credential that it would be called with, where its provider has several. */
  credential?: string;
}

const sortedBy = (entry: Standing, sort: Preferences["sort"]): number | null => {
  if (sort === undefined) return null;
  return (sort === "price" ? toUsd(entry.price) : entry[sort]) ?? null;
};

/** The places of entries that are in order already. */
export function placed(
  ranked: readonly Standing[],
  preferences: Pick<Preferences, "order" | "sort">,
): Placed[] {
  const decided = decisions(ranked, preferences);
  return ranked.map((entry, at) => {
    const order = preferences.order?.indexOf(entry.provider) ?? -1;
    const decidedBy = decided[at];
    return {
      rank: {
        order: order < 0 ? null : order,
        conversation: entry.stuck,
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
