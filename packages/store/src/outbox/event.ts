import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import { param, prepare, UNASKED } from "../engine/statement.ts";
import type { JsonObject } from "../json.ts";

/** What has happened, for those who want to hear of it. Amounts in `data` are micro-USD. */
export interface OutboxEvent {
  id: string;
  type: string;
  /** Absent where it is no account's. */
  accountId?: string;
  data: JsonObject;
  /** In ms. */
  createdAt: number;
}

/** An event by what it is about: of several with one name only the first is kept. */
export interface NewEvent extends Omit<OutboxEvent, "id"> {
  name: string;
}

/** Ids say nothing of what they are about, and have no full stop, which signatures put behind them. */
const idOf = (name: string): string => `evt_${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;

/** The work of writing events. It belongs into the commit of what they tell: neither stands without the other. */
export function prepareRaise({ db }: Engine): (events: readonly NewEvent[]) => Work<void> {
  const insert = prepare<object>(
    db,
    sql`INSERT INTO outbox (id, type, account_id, data, created_at, is_open)
      VALUES (${param("id")}, ${param("type")}, ${param("account")}, ${param("data")}, ${param("createdAt")}, 1)
      ON CONFLICT (id) DO NOTHING`,
    UNASKED,
  );
  return function* (events) {
    for (const { name, type, accountId = null, data, createdAt } of events) {
      const values = { id: idOf(name), type, account: accountId, data: JSON.stringify(data), createdAt };
      yield* insert(values);
    }
  };
}
