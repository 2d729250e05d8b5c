import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import type { JsonObject } from "../engine/json-columns.ts";
import { param, prepare, UNREAD } from "../engine/statement.ts";

/** An event for webhooks. Amounts in `data` are micro-USD. */
export interface OutboxEvent {
  /** `evt_` and 32 hex digits: the same at every delivery, so that endpoints can recognize a repeated one. */
  id: string;
  /** The kind of event, such as `job.ended`. */
  type: string;
  /** Absent if it belongs to no account. */
  accountId?: string;
  /** What happened, in the form that the type has. */
  data: JsonObject;
  /** The time of the event, in ms. */
  createdAt: number;
}

/** An event to write. `name` identifies its subject: of several with one name only the first is kept. */
export interface NewEvent extends Omit<OutboxEvent, "id"> {
  /** The subject, such as a type and an id; it is hashed into the event's id and reaches no endpoint. */
  name: string;
}

/** The id of an event. A hash reveals nothing, and has no full stop, which separates the id in signatures. */
const idOf = (name: string): string => `evt_${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;

/** The work of writing events, in the same commit as the change that they report. */
export function prepareRaise({ db }: Engine): (events: readonly NewEvent[]) => Work<void> {
  const insert = prepare<object>(
    db,
    sql`INSERT INTO outbox (id, type, account_id, data, created_at, is_open)
      VALUES (${param("id")}, ${param("type")}, ${param("account")}, ${param("data")}, ${param("createdAt")}, 1)
      ON CONFLICT (id) DO NOTHING`,
    UNREAD,
  );
  return function* (events) {
    for (const { name, type, accountId = null, data, createdAt } of events) {
      const values = { id: idOf(name), type, account: accountId, data: JSON.stringify(data), createdAt };
      yield* insert(values);
    }
  };
}
