import {
  any,
  array,
  assertOptions,
  boolean,
  type Node,
  number,
  object,
  oneOf,
  optional,
  optionError,
  string,
} from "@manifold-gateway/core/schema";
import type { PostgresOptions } from "./engine/postgres.ts";
import { problemOfPostgres } from "./engine/postgres-address.ts";
import { KEPT_OF_REQUESTS } from "./requests/record-options.ts";

const text = string({ min: 1 });
const whole = number({ integer: true, min: 1 });
const kept = oneOf(...KEPT_OF_REQUESTS);

const common = {
  log: optional(any()),
  calls: optional(text),
  busy: optional(number({ min: 0 })),
  records: optional(
    object({
      requests: optional(kept),
      replies: optional(kept),
      replyBytes: optional(whole),
      days: optional(whole),
      quota: optional(whole),
    }),
  ),
  alerts: optional(
    object({
      caps: optional(array(number({ min: 0 }))),
      balances: optional(array(number({ min: 0 }))),
      jobs: optional(boolean()),
      orphans: optional(boolean()),
    }),
  ),
};

const sqlite = object({
  ...common,
  path: text,
  synchronous: optional(oneOf("full", "normal")),
  lockWaitMs: optional(number({ integer: true, min: 0 })),
  logPages: optional(whole),
});
const address = string({ pattern: /^postgres(ql)?:\/\//, message: "must begin with postgres://" });
const postgres = object({
  ...common,
  url: address,
  connections: optional(whole),
  reader: optional(object({ url: address, maxDelayMs: optional(whole) })),
});

/** Throws a `TypeError` that names the options of a SQLite store that are wrong. */
export const checkSqlite = (options: unknown): void => check("openSqlite", sqlite, options);

/** The same for Postgres, whose address has options of its own. */
export function checkPostgres(options: PostgresOptions): void {
  check("openPostgres", postgres, options);
  const { url, reader = { url } } = options;
  const faults = [
    { path: ["url"], text: problemOfPostgres(url) ?? "" },
    { path: ["reader", "url"], text: problemOfPostgres(reader.url) ?? "" },
  ].filter(({ text }) => text !== "");
  if (faults.length > 0) throw optionError("openPostgres", faults.slice(0, 1), options);
}

/** Options that may be `Infinity`: a store that is never busy has no lease, and a file may have any length. */
const UNBOUNDED = /^(busy|limit)$/;

export function check(of: string, schema: Node, options: unknown): void {
  const bounded = Object.entries(options ?? {}).filter(
    ([name, value]) => value !== Number.POSITIVE_INFINITY || !UNBOUNDED.test(name),
  );
  assertOptions(of, schema, typeof options === "object" ? Object.fromEntries(bounded) : options);
}
