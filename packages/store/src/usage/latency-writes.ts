import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import { param, prepare } from "../engine/statement.ts";
import type { Tag } from "./latency-parts.ts";
import { type LatencyPart, prepareWriteLatencies } from "./latency-rows.ts";
import { type ProviderNews, prepareWriteFailures } from "./provider-rows.ts";

/** The content of one commit. */
export interface News extends ProviderNews {
  all: readonly LatencyPart[];
  tagged: readonly LatencyPart[];
}

/**
 * The work of writing latencies and calls. Returns the parts whose rows are gone. Repeating the work changes nothing
 * more.
 */
export function prepareNews(engine: Engine): (news: News) => Work<ReadonlySet<object>> {
  const write = prepareWriteLatencies(engine, "hourly_latencies");
  const writeTagged = prepareWriteLatencies(engine, "hourly_tag_latencies");
  const writeCalls = prepareWriteFailures(engine);
  const tagsOf = prepare<{ account: string; hour: number }, Tag>(
    engine.db,
    sql`SELECT name, value FROM hourly_tag_values
      WHERE account_id = ${param("account")} AND hour = ${param("hour")}`,
  );

  /** The parts under the tags by which the sums count them, without those of uncounted tags. */
  function* counted(parts: readonly LatencyPart[]): Work<LatencyPart[]> {
    const found = new Map<string, readonly Tag[]>();
    const kept: LatencyPart[] = [];
    for (const part of parts) {
      const { account, hour, tag } = part;
      const place = `${account}\n${hour}`;
      const tags = found.get(place) ?? (yield* tagsOf({ account, hour }));
      found.set(place, tags);
      const same = tags.filter(({ name }) => name === tag!.name);
      if (same.length === 0) continue;
      // Further values of a name share an empty one.
      const isSeparate = same.some(({ value }) => value === tag!.value);
      kept.push(isSeparate ? part : { ...part, tag: { name: tag!.name, value: "" } });
    }
    return kept;
  }

  return function* ({ all, tagged, ...calls }) {
    const missing = new Set<object>(yield* write(all));
    const parts = new Map(tagged.map((part) => [part.part, part]));
    for (const { part } of yield* writeTagged(yield* counted(tagged))) missing.add(parts.get(part)!);
    for (const part of yield* writeCalls(calls)) missing.add(part);
    return missing;
  };
}
