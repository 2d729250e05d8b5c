import type { Migration } from "./migration.ts";

const PARTS = ["key_id", "model", "modality", "status", "surface", "entry"];

/**
 * Latencies by hour, as sketches beside the sums of the hour, and the calls of providers. `part` names what one process
 * counted: it writes its whole count each time, so that a write done twice counts once. Parts of hours that are over
 * are merged into the one without a name.
 */
export const latencies: Migration = {
  name: "latencies",
  statements: ({ integer, strict, clustered }) => {
    const sketches = (name: string, first: readonly string[]): string[] => [
      `CREATE TABLE ${name} (
        account_id TEXT NOT NULL,
        hour ${integer} NOT NULL,
        ${[...first, ...PARTS, "part"].map((column) => `${column} TEXT NOT NULL`).join(",\n        ")},
        durations TEXT NOT NULL,
        longest ${integer} NOT NULL,
        firsts TEXT NOT NULL,
        longest_first ${integer} NOT NULL,
        PRIMARY KEY (${["account_id", "hour", ...first, ...PARTS, "part"].join(", ")})
      ) ${clustered}`,
      `CREATE INDEX ${name}_parts ON ${name} (hour) WHERE part <> ''`,
    ];
    return [
      ...sketches("hourly_latencies", []),
      ...sketches("hourly_tag_latencies", ["name", "value"]),
      `CREATE TABLE hourly_failures (
        hour ${integer} NOT NULL,
        entry TEXT NOT NULL,
        part TEXT NOT NULL,
        retried ${integer} NOT NULL,
        failed ${integer} NOT NULL,
        PRIMARY KEY (hour, entry, part)
      ) ${clustered}`,
      "CREATE INDEX hourly_failures_parts ON hourly_failures (hour) WHERE part <> ''",
      `CREATE TABLE served_entries (
        entry TEXT PRIMARY KEY,
        provider TEXT NOT NULL,
        name TEXT NOT NULL,
        model TEXT NOT NULL
      ) ${clustered}`,
      `CREATE TABLE failed_calls (
        id TEXT PRIMARY KEY,
        provider TEXT NOT NULL,
        entry TEXT NOT NULL,
        account_id TEXT NOT NULL,
        generation TEXT NOT NULL,
        attempt ${integer} NOT NULL,
        model TEXT NOT NULL,
        created_at ${integer} NOT NULL,
        failed_at ${integer} NOT NULL,
        status ${integer},
        fault TEXT
      ) ${strict}`,
      "CREATE INDEX failed_calls_by_provider ON failed_calls (provider, id)",
    ];
  },
};
