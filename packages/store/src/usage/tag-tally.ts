import { sql } from "kysely";
import { prepareSums } from "../engine/bulk-statements.ts";
import { HOUR } from "../engine/durations.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { param, prepare, UNREAD } from "../engine/statement.ts";
import { ADDED, addEntry, type Entry, KEY, PACE_COLUMNS, type Rows } from "./sums.ts";

/** The most tags, each a name and a value, that have separate sums for an account in an hour. */
export const MOST_TAGS = 100;

interface Tag {
  name: string;
  value: string;
}

/** The tags of one account and hour that have separate sums: those that came first. */
interface HourTags {
  account: string;
  hour: number;
  tags: Set<string>;
  names: Set<string>;
}

const tagsOf = ({ tags }: Entry): Tag[] =>
  Object.entries(JSON.parse(tags as string) as Record<string, string>)
    .map(([name, value]) => ({ name, value }))
    // Every commit takes the rows of an account in one order, which prevents deadlocks.
    .sort((a, b) => (a.name < b.name ? -1 : 1));

const idOf = ({ name, value }: Tag): string => `${name}\n${value}`;

/**
 * The work of adding ends to the sums of their tags. Callers choose tags freely, so their number is limited: when an
 * hour is full, further values of a known name share an empty value, and further names are not counted. So a name
 * counts all of its ends, from the first on, or none.
 */
export function prepareTagTally(engine: Engine): (entries: readonly Entry[]) => Work<void> {
  const { db } = engine;
  const [account, hour, ...rest] = KEY;
  const tag = (["name", "value"] as const).map((name) => [name, name, "TEXT"] as const);
  const key = [account!, hour!, ...tag, ...rest];
  const add = prepareSums(engine, "hourly_tag_sums", key, ADDED, PACE_COLUMNS);
  const known = prepare<{ account: string; hour: number }, Tag>(
    db,
    sql`SELECT name, value FROM hourly_tag_values
      WHERE account_id = ${param("account")} AND hour = ${param("hour")}`,
  );
  const note = prepare<object>(
    db,
    sql`INSERT INTO hourly_tag_values (account_id, hour, name, value)
      VALUES (${param("account")}, ${param("hour")}, ${param("name")}, ${param("value")}) ON CONFLICT DO NOTHING`,
    UNREAD,
  );

  function* knownOf(account: string, hour: number): Work<HourTags> {
    const found = yield* known({ account, hour });
    return {
      ...{ account, hour },
      tags: new Set(found.map(idOf)),
      names: new Set(found.map(({ name }) => name)),
    };
  }

  /** The tag under which an end is counted; undefined if it is not counted. */
  function* counted(hourTags: HourTags, tag: Tag): Work<Tag | undefined> {
    const { account, hour, tags, names } = hourTags;
    if (tags.has(idOf(tag))) return tag;
    if (tags.size >= MOST_TAGS) return names.has(tag.name) ? { ...tag, value: "" } : undefined;
    tags.add(idOf(tag));
    names.add(tag.name);
    yield* note({ account, hour, ...tag });
    return tag;
  }

  return function* (entries) {
    const rows: Rows = new Map();
    const places = new Map<string, HourTags>();
    for (const entry of entries) {
      const hour = entry.at - (entry.at % HOUR);
      const place = `${entry.account}\n${hour}`;
      let known = places.get(place);
      if (!known) {
        known = yield* knownOf(entry.account, hour);
        places.set(place, known);
      }
      for (const tag of tagsOf(entry)) {
        const countedTag = yield* counted(known, tag);
        if (countedTag) addEntry(rows, entry, countedTag);
      }
    }
    yield* add([...rows.values()]);
  };
}
