import { sql } from "kysely";
import { deleteRows } from "../engine/delete-rows.ts";
import type { Engine } from "../engine/engine.ts";
import { fromColumn, type JsonObject } from "../engine/json-columns.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import { type NewEvent, type OutboxEvent, prepareRaise } from "./event.ts";

/** The claimed delivery of an event to one endpoint. */
export interface Delivery extends OutboxEvent {
  /** The id of the endpoint in the configuration. */
  endpoint: string;
  /** The number of tries, including this one. */
  tries: number;
}

type DeliveryRef = Pick<Delivery, "id" | "endpoint" | "tries">;

/** The events of webhooks. Each is delivered at least once to each of its endpoints. Times are ms. */
export interface Outbox {
  /** Writes an event that belongs to no other commit, once for each name. */
  add(event: NewEvent): Promise<void>;
  /** Checks whether there may be something to do for these endpoints; it only reads. */
  isDue(endpoints: readonly string[], now: number): Promise<boolean>;
  /** Creates the deliveries of at most `most` new events; resolves to the number of these events. */
  spread(recipients: (event: OutboxEvent) => readonly string[], now: number, most: number): Promise<number>;
  /** Claims due deliveries, oldest first; no other worker can claim them before `until`. */
  claim(terms: { endpoint: string; now: number; until: number; most: number }): Promise<Delivery[]>;
  /** Records that the endpoint has received the event. */
  delivered(delivery: DeliveryRef): Promise<void>;
  /**
   * Records a failed delivery, to be tried again at `next`, or never if that is absent. Resolves to the time since when
   * the endpoint has accepted nothing.
   */
  failed(delivery: DeliveryRef, at: number, next?: number): Promise<number>;
  /** Stops deliveries to an endpoint and drops those that wait; false if it was switched off before. */
  switchOff(endpoint: string, at: number): Promise<boolean>;
  switchOn(endpoints: readonly string[]): Promise<void>;
  /** The endpoints that are switched off. */
  off(): Promise<string[]>;
  /** The number of waiting deliveries by endpoint, and the time of the oldest. */
  depth(): Promise<{ endpoint: string; count: number; oldest: number }[]>;
  /** Deletes old deliveries and events; an endpoint that is no longer configured leaves some behind. */
  expire(before: { deliveries: number; events: number }): Promise<void>;
}

const deliveryId = ({ id, endpoint }: Pick<Delivery, "id" | "endpoint">): string => `${id} ${endpoint}`;

interface EventRow {
  id: string;
  type: string;
  account_id: string | null;
  data: string;
  created_at: number;
}

const toEvent = ({ id, type, account_id, data, created_at }: EventRow): OutboxEvent => ({
  id,
  type,
  ...(account_id !== null && { accountId: account_id }),
  data: fromColumn<JsonObject>(data)!,
  createdAt: created_at,
});

export function createOutbox(engine: Engine): Outbox {
  const { db, dialect } = engine;
  const raise = prepareRaise(engine);
  const open = prepare<{ most: number }, EventRow>(
    db,
    sql`SELECT id, type, account_id, data, created_at FROM outbox WHERE is_open = 1
      ORDER BY created_at, id LIMIT ${param("most")} ${dialect.locks.skipLocked}`,
  );
  const close = prepare<{ id: string }>(db, sql`UPDATE outbox SET is_open = 0 WHERE id = ${param("id")}`);
  const queue = prepare<object>(
    db,
    sql`INSERT INTO deliveries (id, event_id, endpoint, tries, next_at, created_at)
      VALUES (${param("id")}, ${param("event")}, ${param("endpoint")}, 0, ${param("at")}, ${param("at")})
      ON CONFLICT (id) DO NOTHING`,
  );
  // The condition is part of the write as well as of the choice before it: see the claims of jobs.
  const claim = prepare<object, { event_id: string; endpoint: string; tries: number }>(
    db,
    sql`WITH due AS MATERIALIZED (
        SELECT id FROM deliveries WHERE endpoint = ${param("endpoint")} AND next_at <= ${param("now")}
        ORDER BY next_at, id LIMIT ${param("most")} ${dialect.locks.skipLocked})
      UPDATE deliveries SET next_at = ${param("until")}, tries = tries + 1
      WHERE id IN (SELECT id FROM due) AND next_at <= ${param("now")} RETURNING event_id, endpoint, tries`,
  );

  return {
    add: (event) => engine.write(() => raise([event])),
    isDue: (endpoints, now) =>
      engine.read(function* () {
        const among = sql.join([...endpoints, ""].map((id) => sql`${id}`));
        const found = sql`SELECT 1 AS due WHERE EXISTS (SELECT 1 FROM outbox WHERE is_open = 1)
          OR EXISTS (SELECT 1 FROM deliveries WHERE endpoint IN (${among}) AND next_at <= ${now})`;
        return (yield* run(found.compile(db))).length > 0;
      }),
    spread: (recipients, now, most) =>
      engine.write(function* () {
        const rows = yield* open({ most });
        for (const row of rows) {
          const { id } = row;
          for (const endpoint of recipients(toEvent(row)))
            yield* queue({ id: deliveryId({ id, endpoint }), event: id, endpoint, at: now });
          yield* close({ id });
        }
        return rows.length;
      }),
    claim: (terms) =>
      engine.write(function* () {
        const claimed = yield* claim(terms);
        if (claimed.length === 0) return [];
        const ids = claimed.map(({ event_id }) => event_id);
        const rows = yield* run(db.selectFrom("outbox").selectAll().where("id", "in", ids));
        const events = new Map(rows.map((row) => [row.id, toEvent(row)]));
        return claimed
          .flatMap(({ event_id, endpoint, tries }) => {
            const event = events.get(event_id);
            return event ? [{ ...event, endpoint, tries }] : [];
          })
          .sort((a, b) => a.createdAt - b.createdAt);
      }),
    delivered: (delivery) =>
      engine.write(function* () {
        yield* run(db.deleteFrom("deliveries").where("id", "=", deliveryId(delivery)));
        const failing = db.deleteFrom("failing_endpoints").where("id", "=", delivery.endpoint);
        yield* run(failing.where("off_since", "is", null));
      }),
    failed: (delivery, at, next) =>
      engine.write(function* () {
        const { endpoint, tries } = delivery;
        const id = deliveryId(delivery);
        // After this claim expired, another worker may have claimed the delivery, which raised `tries`.
        if (next === undefined)
          yield* run(db.deleteFrom("deliveries").where("id", "=", id).where("tries", "=", tries));
        else
          yield* run(
            db
              .updateTable("deliveries")
              .set({ next_at: next })
              .where("id", "=", id)
              .where("tries", "=", tries),
          );
        yield* run(
          db
            .insertInto("failing_endpoints")
            .values({ id: endpoint, failing_since: at, off_since: null })
            .onConflict((on) => on.column("id").doNothing()),
        );
        const since = db.selectFrom("failing_endpoints").select("failing_since").where("id", "=", endpoint);
        return (yield* first(run(since)))?.failing_since ?? at;
      }),
    switchOff: (endpoint, at) =>
      engine.write(function* () {
        const changed = yield* run(
          db
            .updateTable("failing_endpoints")
            .set({ off_since: at })
            .where("id", "=", endpoint)
            .where("off_since", "is", null)
            .returning("id"),
        );
        yield* run(db.deleteFrom("deliveries").where("endpoint", "=", endpoint));
        return changed.length > 0;
      }),
    switchOn: (endpoints) =>
      engine.write(function* () {
        if (endpoints.length > 0)
          yield* run(
            db
              .deleteFrom("failing_endpoints")
              .where("id", "in", endpoints)
              .where("off_since", "is not", null),
          );
      }),
    off: () =>
      engine.read(function* () {
        const rows = db.selectFrom("failing_endpoints").select("id").where("off_since", "is not", null);
        return (yield* run(rows)).map(({ id }) => id);
      }),
    depth: () =>
      engine.report(function* () {
        return yield* run(
          db
            .selectFrom("deliveries")
            .groupBy("endpoint")
            .select([
              "endpoint",
              sql<number>`count(*)`.as("count"),
              sql<number>`min(created_at)`.as("oldest"),
            ]),
        );
      }),
    async expire({ deliveries, events }) {
      await deleteRows(engine, {
        table: "deliveries",
        key: ["id"],
        where: sql`created_at < ${deliveries}`,
      });
      await deleteRows(engine, {
        table: "outbox",
        key: ["id"],
        where: sql`created_at < ${events}
          AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.event_id = outbox.id)`,
      });
    },
  };
}
