import { sql } from "kysely";
import { type Column, prepareAdd } from "../engine/bulk-statements.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { param, prepare, UNASKED } from "../engine/statement.ts";
import type { RecordOptions } from "../requests/record-options.ts";
import type { HoldRequest } from "./reservation-values.ts";

const COLUMNS: readonly Column[] = [
  ["id", "id", "TEXT"],
  ["content", "request", "TEXT"],
  ["account", "account", "TEXT"],
  ["asked_at", "at", "BIGINT"],
  ["bytes", "bytes", "BIGINT"],
];

/**
 * The work of keeping the texts of requests. `before` has the byte count of each account, and the caller has already
 * raised it by all texts. A text above the quota is not kept, and its bytes are subtracted, until the sweep has made room.
 */
export function prepareKeep(
  engine: Engine,
  { quota }: RecordOptions,
): (texts: readonly HoldRequest["values"][], before: ReadonlyMap<string, number>) => Work<void> {
  const keep = prepareAdd(engine, "requests", COLUMNS, UNASKED);
  const lessen = prepare<{ account: string; bytes: number }>(
    engine.db,
    sql`UPDATE accounts SET kept_bytes = kept_bytes - ${param("bytes")} WHERE id = ${param("account")}`,
    UNASKED,
  );
  return function* (texts, before) {
    const kept = new Map(before);
    const left = new Map<string, number>();
    const fitting: (typeof texts)[number][] = [];
    for (const text of texts) {
      const { account, bytes } = text;
      const after = kept.get(account)! + bytes;
      if (after <= quota) {
        kept.set(account, after);
        fitting.push(text);
      } else left.set(account, (left.get(account) ?? 0) + bytes);
    }
    yield* keep(fitting);
    for (const [account, bytes] of left) yield* lessen({ account, bytes });
  };
}
