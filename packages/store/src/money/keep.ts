import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import { type Column, prepareAdd } from "../engine/many.ts";
import { param, prepare, UNASKED } from "../engine/statement.ts";
import type { RecordOptions } from "../record-options.ts";
import type { Asked } from "./asked.ts";

const COLUMNS: readonly Column[] = [
  ["id", "id", "TEXT"],
  ["content", "request", "TEXT"],
  ["account", "account", "TEXT"],
  ["asked_at", "at", "BIGINT"],
  ["bytes", "bytes", "BIGINT"],
];

/**
 * The work of keeping what was asked, of one account whose count of it has been raised by all of them, from `before`.
 * The sweep lets the oldest go; until it has, what has no room is not kept.
 */
export function prepareKeep(
  engine: Engine,
  { quota }: RecordOptions,
): (texts: readonly Asked["values"][], before: number) => Work<void> {
  const keep = prepareAdd(engine, "requests", COLUMNS, UNASKED);
  const lessen = prepare<{ account: string; bytes: number }>(
    engine.db,
    sql`UPDATE accounts SET kept_bytes = kept_bytes - ${param("bytes")} WHERE id = ${param("account")}`,
    UNASKED,
  );
  return function* (texts, before) {
    let kept = before;
    let left = 0;
    const fitting = texts.filter(({ bytes }) => {
      const fits = kept + bytes <= quota;
      if (fits) kept += bytes;
      else left += bytes;
      return fits;
    });
    yield* keep(fitting);
    if (left > 0) yield* lessen({ account: texts[0]!.account, bytes: left });
  };
}
