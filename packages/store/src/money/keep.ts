import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import { param, prepare } from "../engine/statement.ts";
import type { RecordOptions } from "../record-options.ts";
import type { Asked } from "./asked.ts";

/**
 * The work of keeping what was asked, of one account whose count of it has been raised by all of them, from `before`.
 * The sweep lets the oldest go; until it has, what has no room is not kept.
 */
export function prepareKeep(
  { db }: Engine,
  { quota }: RecordOptions,
): (texts: readonly Asked["values"][], before: number) => Work<void> {
  const keep = prepare<object>(
    db,
    sql`INSERT INTO requests (id, content, account, asked_at, bytes)
      VALUES (${param("id")}, ${param("request")}, ${param("account")}, ${param("at")}, ${param("bytes")})`,
  );
  const lessen = prepare<{ account: string; bytes: number }>(
    db,
    sql`UPDATE accounts SET kept_bytes = kept_bytes - ${param("bytes")} WHERE id = ${param("account")}`,
  );
  return function* (texts, before) {
    let kept = before;
    let left = 0;
    for (const text of texts) {
      if (kept + text.bytes > quota) left += text.bytes;
      else {
        yield* keep(text);
        kept += text.bytes;
      }
    }
    if (left > 0) yield* lessen({ account: texts[0]!.account, bytes: left });
  };
}
