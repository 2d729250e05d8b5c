import type { Engine } from "../engine/engine.ts";
import type { Source } from "./17-usage-hours.ts";
import { hoursOf as hoursOfSource } from "./18-hourly-usage.ts";
import type { Migration } from "./migrate.ts";

type Dialect = Engine["dialect"];

const PARTS = ["key_id", "model", "modality", "status", "surface", "entry"];
const SUMS = [
  ...["requests", "cost", "duration_ms", "input", "output", "cache_read", "reasoning", "images"],
  ...["characters", "millis", ...Array.from({ length: 9 }, (_, pace) => `pace_${pace}`)],
];

/**
 * The hourly sums, and those of tags, also by the surface and the entry of the requests. The previous tables are
 * emptied, and stay for processes of the previous version.
 */
export const sumsByEntry: Migration = {
  name: "sums by entry",
  statements: ({ integer, clustered, dialect }) => {
    const table = (name: string, first: readonly string[]): string =>
      `CREATE TABLE ${name} (
      account_id TEXT NOT NULL,
      hour ${integer} NOT NULL,
      ${[...first, ...PARTS].map((column) => `${column} TEXT NOT NULL`).join(",\n      ")},
      ${SUMS.map((column) => `${column} ${integer} NOT NULL`).join(",\n      ")},
      PRIMARY KEY (${["account_id", "hour", ...first, ...PARTS].join(", ")})
    ) ${clustered}`;
    return [
      "ALTER TABLE generations ADD COLUMN surface TEXT",
      table("hourly_sums", []),
      table("hourly_tag_sums", ["name", "value"]),
      ...fillings(dialect),
      "DELETE FROM hourly_usage",
      "DELETE FROM hourly_tags",
    ];
  },
};

/** The statements that write the sums of all generations into empty tables. */
export const fillings = (dialect: Dialect): string[] => {
  const columns = (also: readonly string[]): string =>
    ["account_id", "hour", "key_id", "model", "modality", "status", ...SUMS, ...also].join(", ");
  const [one, tagged] = [hoursOf(dialect), tagHoursOf(dialect)];
  return [
    `INSERT INTO hourly_sums (${columns(["surface", "entry"])}) ${one}`,
    `INSERT INTO hourly_tag_sums (${columns(["surface", "entry", "name", "value"])}) ${tagged}`,
  ];
};

/** The columns of a generation that are summed up or grouped by. */
const counted = (dialect: Dialect): string =>
  `g.account_id, g.created_at, g.key_id, g.model, g.modality, g.status, g.duration_ms, g.cost, g.usage,
      COALESCE(g.surface, '') AS surface,
      COALESCE(${dialect === "sqlite" ? "json_extract(g.route, '$.entry')" : "g.route::json ->> 'entry'"}, '') AS entry`;

/** A query for the hourly sums of the generations. */
export const hoursOf = (dialect: Dialect): string =>
  hoursOfSource(dialect, {
    from: `(SELECT ${counted(dialect)} FROM generations AS g) AS counted`,
    also: ["surface", "entry"],
  });

/** A query for the hourly sums of the generations by tag. */
export const tagHoursOf = (dialect: Dialect): string => hoursOfSource(dialect, tagged(dialect));

export const HOUR = "g.created_at - g.created_at % 3600000";

/** Joins each tag `t` of the generations `g`, as a key and a value. */
export const withTags = (dialect: Dialect): string =>
  dialect === "sqlite"
    ? "generations AS g, json_each(g.tags) AS t"
    : "generations AS g CROSS JOIN LATERAL json_each_text(g.tags::json) AS t(key, value)";

/** A condition: the tag has separate sums or, without `more`, any tag of its name has. */
const isCounted = (more = ""): string =>
  `EXISTS (SELECT 1 FROM hourly_tag_values AS v
    WHERE v.account_id = g.account_id AND v.hour = ${HOUR} AND v.name = t.key${more})`;

/** The generations, once for each counted tag, with the tag's name and the value under which it is counted. */
const tagged = (dialect: Dialect): Source => ({
  from: `(SELECT ${counted(dialect)}, t.key AS name,
      CASE WHEN ${isCounted(" AND v.value = t.value")} THEN t.value ELSE '' END AS value
    FROM ${withTags(dialect)} WHERE g.tags IS NOT NULL AND ${isCounted()}) AS tagged`,
  also: ["surface", "entry", "name", "value"],
});
