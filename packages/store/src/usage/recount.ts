import { REMOVED_UNTIL } from "../archive/removed.ts";
import type { Dialect } from "../engine/dialect.ts";
import { latenciesOf } from "./recount-latencies.ts";
import { COUNTED, PACE_COLUMNS, SUMS } from "./sums.ts";

/** The generations to sum up, and the columns by which they are grouped besides the usual ones. */
interface Source {
  from: string;
  also: readonly string[];
}

const USUAL = ["account_id", "hour", "key_id", "model", "modality", "status"];

/** The statements that write the sums and latencies of all generations into empty tables. */
export const fillings = (dialect: Dialect): string[] =>
  (
    [
      ["hourly", all(dialect)],
      ["hourly_tag", tagged(dialect)],
    ] as const
  ).flatMap(([table, source]) => {
    const columns = [...USUAL, ...source.also, ...SUMS].join(", ");
    const paces = PACE_COLUMNS.map((column) => `, 0 AS ${column}`).join("");
    return [
      `INSERT INTO ${table}_sums (${columns}, ${PACE_COLUMNS.join(", ")})
        SELECT ${columns}${paces} FROM (${sumsOf(dialect, source)}) AS sums`,
      latenciesOf(dialect, `${table}_latencies`, [...USUAL, ...source.also], source.from),
    ];
  });

/** A query for the hourly sums of the generations. */
export const hoursOf = (dialect: Dialect): string => sumsOf(dialect, all(dialect));

/** A query for the hourly sums of the generations by tag. */
export const tagHoursOf = (dialect: Dialect): string => sumsOf(dialect, tagged(dialect));

/** The hour of a generation `g`. */
export const HOUR_OF = "g.created_at - g.created_at % 3600000";

/** A condition: the month of a generation `g` is not removed, so that its hours can be compared. */
export const IS_PRESENT = `g.created_at >= ${REMOVED_UNTIL}`;

/** Joins each tag `t` of the generations `g`, as a key and a value. */
export const withTags = ({ json }: Dialect): string =>
  `generations AS g CROSS JOIN ${json.entries("g.tags", "t")}`;

const all = (dialect: Dialect): Source => ({
  from: `(SELECT ${counted(dialect)} FROM generations AS g WHERE ${IS_PRESENT}) AS counted`,
  also: ["surface", "entry"],
});

/** The columns of a generation that are summed up or grouped by. */
const counted = ({ json }: Dialect): string =>
  `g.account_id, ${HOUR_OF} AS hour, COALESCE(g.key_id, '') AS key_id, g.model, g.modality, g.status,
      g.duration_ms, g.cost, g.usage, g.route, COALESCE(g.surface, '') AS surface,
      COALESCE(${json.member("g.route", "entry")}, '') AS entry`;

/** A condition: the tag has separate sums or, without `more`, any tag of its name has. */
const isCounted = (more = ""): string =>
  `EXISTS (SELECT 1 FROM hourly_tag_values AS v
    WHERE v.account_id = g.account_id AND v.hour = ${HOUR_OF} AND v.name = t.key${more})`;

/** The generations, once for each counted tag, with the tag's name and the value under which it is counted. */
const tagged = (dialect: Dialect): Source => ({
  from: `(SELECT ${counted(dialect)}, t.key AS name,
      CASE WHEN ${isCounted(" AND v.value = t.value")} THEN t.value ELSE '' END AS value
    FROM ${withTags(dialect)} WHERE g.tags IS NOT NULL AND ${IS_PRESENT} AND ${isCounted()}) AS tagged`,
  also: ["surface", "entry", "name", "value"],
});

/** A query that sums up `from`, with the results of `addEntry` for each row. */
function sumsOf({ json }: Dialect, { from, also }: Source): string {
  const columns = [...USUAL, ...also].join(", ");
  const sums = [
    "COUNT(*) AS requests",
    ...["cost", "duration_ms"].map((name) => sum(name, name)),
    ...COUNTED.map(([member, column]) => sum(json.count("usage", member), column)),
    sum(millisOf(json.number("usage", "seconds")), "millis"),
  ];
  return `SELECT ${columns}, ${sums.join(",\n      ")}
    FROM ${from} WHERE status <> 'pending' GROUP BY ${columns}`;
}

const sum = (value: string, name: string): string => `CAST(COALESCE(SUM(${value}), 0) AS BIGINT) AS ${name}`;

const millisOf = (seconds: string): string => `CAST(FLOOR(${seconds} * 1000 + 0.5) AS BIGINT)`;
