import { sql } from "kysely";
import type { Dialect } from "../engine/dialect.ts";
import type { Engine } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";
import { type GenerationFilter, matches } from "./generation-filter.ts";
import { walk } from "./walk.ts";

/** The values by which generations can be listed, the greatest first. */
export const RANKS = ["cost", "duration", "tokens"] as const;
/** One of `RANKS`. */
export type Rank = (typeof RANKS)[number];

/**
 * The most generations that are compared with each other or added up: there is no index of their values, and a
 * hundred thousand are read in a fraction of a second.
 */
export const COMPARED = 100_000;

const VALUES: Record<Rank, (dialect: Dialect) => string> = {
  cost: () => "generations.cost",
  duration: () => "generations.duration_ms",
  tokens: ({ json }) => json.number("generations.usage", "totalTokens"),
};

export interface Ranked {
  /** The ids, the greatest first. */
  ids: string[];
  /** Present if older generations were left out: the time from which on all were compared. */
  since?: number;
}

/** Finds the generations with the greatest values, among the newest that a filter allows. */
export async function rank(
  engine: Engine,
  filter: GenerationFilter,
  { by, most, compared = COMPARED }: { by: Rank; most: number; compared?: number },
): Promise<Ranked> {
  const { db, dialect } = engine;
  const value = sql.raw<number | null>(VALUES[by](dialect));
  let best: { id: string; at: number; value: number }[] = [];
  let since: number | undefined;
  for await (const { part, isOldest } of walk(engine, filter, { most: compared })) {
    const least = best.length === most ? best.at(-1)!.value : undefined;
    const found = db
      .selectFrom("generations")
      .where((row) => matches(row, part, dialect))
      // Each part is older than the one before: a row of it is listed only if its value is greater.
      .where(least === undefined ? sql<boolean>`${value} IS NOT NULL` : sql<boolean>`${value} > ${least}`)
      .select(["id", "created_at as at", value.as("value")])
      .orderBy("value", "desc")
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(most);
    const rows = await engine.delayed(() => run(found));
    if (rows.length > 0)
      best = [...best, ...(rows as typeof best)]
        .sort((a, b) => b.value - a.value || b.at - a.at || (a.id < b.id ? 1 : -1))
        .slice(0, most);
    since = isOldest ? undefined : part.from;
  }
  return { ids: best.map(({ id }) => id), ...(since !== undefined && { since }) };
}
