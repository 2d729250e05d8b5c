import { sql } from "kysely";
import {
  type Column,
  integers,
  prepareAdd,
  prepareEach,
  prepareSums,
  texts,
} from "../engine/bulk-statements.ts";
import type { Engine, Work } from "../engine/engine.ts";
import type { JsonObject } from "../engine/json-columns.ts";
import { first, param, prepare, prepareParallel } from "../engine/statement.ts";
import { dayOf, type PackRow, SPAN_MS } from "./pack.ts";
import type { RecordOptions } from "./record-options.ts";

/** The share of an account's quota that its requests may take: the rest is for answers to repeated requests. */
const SHARE = 7 / 8;
/** The most packs that one commit deletes. */
const MOST = 64;
/** The number of lookups that run at one time. */
const LOOKUPS = 8;

const COLUMNS: readonly Column[] = [
  ...texts("account", "id", "body"),
  ...integers("day", "bytes"),
  ["first_at", "first", "BIGINT"],
  ["last_at", "last", "BIGINT"],
];

/** A generation whose request is to be read. */
export interface ContentRef {
  id: string;
  account: string;
  /** When it arrived, in ms. */
  at: number;
}

/** The bytes of an account's requests of one day. */
interface DaySum {
  account: string;
  day: number;
  bytes: number;
}

/**
 * The work of writing packs. An account whose requests exceed their share of the quota loses its oldest ones in the
 * same commit. Repeating the work changes nothing more.
 */
export function preparePut(
  engine: Engine,
  { quota }: RecordOptions,
): (packs: readonly PackRow[]) => Work<void> {
  const { db } = engine;
  const share = Math.floor(quota * SHARE);
  const add = prepareAdd(engine, "contents", COLUMNS);
  const count = prepareSums(
    engine,
    "contents_kept",
    [...texts("account"), ...integers("day")],
    integers("bytes"),
  );
  const oldestDay = prepare<{ account: string }, { day: number }>(
    db,
    sql`SELECT day FROM contents_kept WHERE account = ${param("account")} AND bytes > 0 ORDER BY day LIMIT 1`,
  );
  const oldest = prepare<object, { last: number; first: number; id: string }>(
    db,
    sql`SELECT last_at AS last, first_at AS first, id FROM contents
      WHERE day = ${param("day")} AND account = ${param("account")} ORDER BY last_at, first_at, id LIMIT ${sql.lit(MOST)}`,
  );
  const remove = prepare<object, { bytes: number }>(
    db,
    sql`DELETE FROM contents WHERE day = ${param("day")} AND account = ${param("account")}
      AND last_at = ${param("last")} AND first_at = ${param("first")} AND id = ${param("id")} RETURNING bytes`,
  );
  const forget = prepare<object>(
    db,
    sql`DELETE FROM contents_kept WHERE account = ${param("account")} AND day = ${param("day")}`,
  );

  /** The bytes of each account above its share; negative if it is below. */
  const exceeding = prepareEach<{ account: string; excess: number }>(
    engine,
    texts("account"),
    (value, from) => sql`SELECT CAST(${value("account")} AS TEXT) AS account, CAST(
      COALESCE((SELECT SUM(bytes) FROM contents_kept WHERE contents_kept.account = ${value("account")}), 0)
      + COALESCE((SELECT kept_bytes FROM accounts WHERE accounts.id = ${value("account")}), 0)
      - ${sql.lit(share)} AS BIGINT) AS excess ${from}`,
  );

  function* makeRoom(account: string, excess: number): Work<void> {
    let [left, most] = [excess, MOST];
    while (left > 0 && most > 0) {
      const day = (yield* first(oldestDay({ account })))?.day;
      if (day === undefined) return;
      const found = (yield* oldest({ account, day })).slice(0, most);
      if (found.length === 0) yield* forget({ account, day });
      let freed = 0;
      for (const pack of found) {
        if (freed >= left) break;
        freed += (yield* first(remove({ account, day, ...pack })))?.bytes ?? 0;
        most -= 1;
      }
      if (freed > 0) yield* count([{ account, day, bytes: -freed }]);
      left -= freed;
    }
  }

  return function* (packs) {
    const added = yield* add(packs);
    const sums = sumsOf(packs.filter(({ id }) => added.has(id)));
    yield* count(sums);
    const excesses = new Map<string, number>();
    for (const { account, excess } of yield* exceeding(sums)) excesses.set(account, excess);
    for (const [account, excess] of excesses) yield* makeRoom(account, excess);
  };
}

/** The bytes by account and day, in the order in which every process locks them. */
function sumsOf(packs: readonly PackRow[]): DaySum[] {
  const sums = new Map<string, DaySum>();
  for (const { account, day, bytes } of packs) {
    const sum = sums.get(`${account} ${day}`);
    if (sum) sum.bytes += bytes;
    else sums.set(`${account} ${day}`, { account, day, bytes });
  }
  return [...sums.values()].sort((a, b) =>
    a.account < b.account ? -1 : a.account > b.account ? 1 : a.day - b.day,
  );
}

/** The work of finding the requests of generations in the packs; those that have none are left out. */
export function prepareFind(engine: Engine): (refs: readonly ContentRef[]) => Work<Map<string, JsonObject>> {
  const { db } = engine;
  const parallel = prepareParallel(engine);
  const around = prepare<object, { id: string; body: string }>(
    db,
    sql`SELECT id, body FROM contents WHERE day = ${param("day")} AND account = ${param("account")}
      AND last_at >= ${param("at")} AND last_at <= ${param("until")} AND first_at <= ${param("at")}`,
  );

  return function* (refs) {
    const found = new Map<string, JsonObject>();
    const wanted = new Set(refs.map(({ id }) => id));
    const opened = new Set<string>();
    for (let left = refs; left.length > 0; left = left.slice(LOOKUPS).filter(({ id }) => !found.has(id))) {
      // The errors of one generation are in the same packs, so they need one lookup.
      const places = new Map(left.slice(0, LOOKUPS).map((ref) => [`${ref.account} ${ref.at}`, ref]));
      const works = Array.from(places.values(), ({ account, at }) =>
        around({ day: dayOf(at), account, at, until: at + SPAN_MS }),
      );
      for (const { id, body } of (yield* parallel(...works)).flat()) {
        if (opened.has(id)) continue;
        opened.add(id);
        for (const [generation, request] of Object.entries(JSON.parse(body) as Record<string, JsonObject>))
          if (wanted.has(generation)) found.set(generation, request);
      }
    }
    return found;
  };
}
