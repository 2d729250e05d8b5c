import { type RawBuilder, sql } from "kysely";
import { type Column, columnNames, integers, prepareEach, texts } from "../engine/bulk-statements.ts";
import { deleteRows } from "../engine/delete-rows.ts";
import type { Engine, Work } from "../engine/engine.ts";
import type { Tables } from "../engine/tables.ts";
import type { Part } from "./parts.ts";
import { addPacked, newSketch, pack, type Sketch } from "./sketch.ts";
import { KEY } from "./sums.ts";

/** The tables of latencies: of all requests, and of those with a tag. */
export type LatencyTable = "hourly_latencies" | "hourly_tag_latencies";
type Row = Tables["hourly_latencies"] & Partial<Pick<Tables["hourly_tag_latencies"], "name" | "value">>;

/** The latencies of the requests whose sums are one row, as far as this process ended them. */
export interface LatencyPart extends Part {
  account: string;
  hour: number;
  key_id: string;
  model: string;
  modality: string;
  status: string;
  surface: string;
  entry: string;
  /** A tag of these requests. */
  tag?: { name: string; value: string };
  durations: Sketch;
  /** The times to the first token. */
  firsts: Sketch;
}

const keyOf = (table: LatencyTable): readonly Column[] => [
  ...KEY,
  ...(table === "hourly_tag_latencies" ? texts("name", "value") : []),
  ...texts("part"),
];
const VALUES: readonly Column[] = [
  ...texts("durations"),
  ...integers("longest"),
  ...texts("firsts"),
  ...integers("longest_first"),
];

const toRow = ({ tag, durations, firsts, ...part }: LatencyPart) => ({
  ...part,
  ...tag,
  durations: pack(durations),
  longest: durations.longest,
  firsts: pack(firsts),
  longest_first: firsts.longest,
});

/** The work of writing whole parts. Returns those whose rows are gone, because they were merged with others. */
export function prepareWriteLatencies(
  engine: Engine,
  table: LatencyTable,
): (parts: readonly LatencyPart[]) => Work<LatencyPart[]> {
  const key = keyOf(table);
  const set = (value: (name: string) => RawBuilder<unknown>) =>
    sql.join(VALUES.map(([name]) => sql`${sql.ref(name)} = ${value(name)}`));
  const add = prepareEach(
    engine,
    [...key, ...VALUES],
    (value, from) => sql`INSERT INTO ${sql.table(table)} (${columnNames([...key, ...VALUES])})
      SELECT ${sql.join([...key, ...VALUES].map(([, member]) => value(member)))} ${from} WHERE TRUE
      ON CONFLICT (${columnNames(key)}) DO UPDATE SET ${set((name) => sql.ref(`excluded.${name}`))}`,
  );
  const change = prepareEach<{ part: string }>(
    engine,
    [...key, ...VALUES],
    (value, from) => sql`UPDATE ${sql.table(table)} SET ${set(value)} ${from}
      WHERE ${sql.join(
        key.map(([name, member]) => sql`${sql.ref(`${table}.${name}`)} = ${value(member)}`),
        sql` AND `,
      )} RETURNING ${sql.ref(`${table}.part`)} AS part`,
  );
  return function* (parts) {
    yield* add(parts.filter(({ isWritten }) => !isWritten).map(toRow));
    const written = parts.filter(({ isWritten }) => isWritten);
    const found = new Set((yield* change(written.map(toRow))).map(({ part }) => part));
    return written.filter(({ part }) => !found.has(part));
  };
}

/** Merges the parts of hours before a time, so that each hour has one row of the same requests. */
export async function mergeLatencies(engine: Engine, table: LatencyTable, before: number): Promise<void> {
  const key = keyOf(table);
  const all = [...key, ...VALUES];
  const joined = (name: "durations" | "firsts") =>
    sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} || ' ' || ${sql.ref(`excluded.${name}`)}`;
  const most = (name: "longest" | "longest_first") => {
    const [before, now] = [sql.ref(`${table}.${name}`), sql.ref(`excluded.${name}`)];
    return sql`${sql.ref(name)} = CASE WHEN ${before} > ${now} THEN ${before} ELSE ${now} END`;
  };
  const add = prepareEach(
    engine,
    all,
    (value, from) => sql`INSERT INTO ${sql.table(table)} (${columnNames(all)})
      SELECT ${sql.join(all.map(([, member]) => value(member)))} ${from} WHERE TRUE
      ON CONFLICT (${columnNames(key)}) DO UPDATE SET ${sql.join([joined("durations"), joined("firsts")])},
        ${sql.join([most("longest"), most("longest_first")])}`,
  );
  // The columns of a single table are asserted to be those of both: the caller passes only columns that its table has.
  const namesOf = (columns: readonly Column[]) =>
    columns.map(([name]) => name as keyof Tables["hourly_latencies"]);
  await deleteRows<"hourly_latencies", keyof Tables["hourly_latencies"]>(engine, {
    table: table as "hourly_latencies",
    key: namesOf(key),
    where: sql`part <> '' AND hour < ${before}`,
    after: {
      columns: namesOf(all),
      *work(rows) {
        yield* add(mergedOf(rows));
      },
    },
  });
}

/** Merges rows of the same requests, in the order in which every process locks them. */
function mergedOf(rows: readonly Row[]): object[] {
  const merged = new Map<string, { row: Row; durations: Sketch; firsts: Sketch }>();
  for (const row of rows) {
    const place = JSON.stringify(KEY.map(([name]) => row[name as keyof Row]).concat([row.name, row.value]));
    let one = merged.get(place);
    if (!one) {
      one = { row, durations: newSketch(), firsts: newSketch() };
      merged.set(place, one);
    }
    addPacked(one.durations, row.durations, row.longest);
    addPacked(one.firsts, row.firsts, row.longest_first);
  }
  return [...merged]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { row, durations, firsts }]) => ({
      ...row,
      ...{ account: row.account_id, part: "" },
      ...{ durations: pack(durations), longest: durations.longest },
      ...{ firsts: pack(firsts), longest_first: firsts.longest },
    }));
}
