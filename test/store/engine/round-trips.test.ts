import { openPostgres, type Store } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Query, Work } from "../../../packages/store/src/engine/engine.ts";
import { createPostgresEngine } from "../../../packages/store/src/engine/postgres.ts";
import type { Database } from "../databases/database.ts";
import { makePostgres } from "../databases/postgres.ts";
import { openWay, type Way } from "../databases/way.ts";
import { makeCaller, makeReservation } from "../fixtures.ts";

/** Other work of a store may come between: most counts are without. */
const TIMES = 11;

describe("a server", () => {
  let database: Database;
  let way: Way;
  let store: Store;
  beforeAll(async () => {
    database = await makePostgres();
    way = await openWay(database.location);
    store = await openPostgres({ url: way.url, connections: 1 });
  });
  afterAll(async () => {
    await store.close();
    await way.cut();
    await database.drop();
  });

  it("it is asked three times for a hold, and three times for an end", async () => {
    const trips: { hold: number[]; end: number[] } = { hold: [], end: [] };
    for (let time = 0; time < TIMES; time++) {
      const caller = await makeCaller(store, { credit: 1_000 });
      const reservation = makeReservation(caller, 10);
      const before = way.trips();
      await store.money.reserve(reservation);
      const held = way.trips();
      await store.money.settle({
        ...{ id: reservation.generation.id, accountId: caller.accountId },
        ...{ cost: 1, status: "succeeded" },
      });
      trips.hold.push(held - before);
      trips.end.push(way.trips() - held);
    }
    const usual = (counts: number[]) => counts.sort((a, b) => a - b)[TIMES >> 1];
    expect({ hold: usual(trips.hold), end: usual(trips.end) }).toEqual({ hold: 3, end: 3 });
  });

  describe("work that waits for one account", () => {
    const unread = (sql: string): Query => ({ sql, parameters: [], isUnread: true });
    const make = (...statements: string[]) =>
      function* (): Work<void> {
        for (const sql of statements) yield unread(sql);
      };
    /** Runs work at once, of which the first is carried alone and the others together. */
    const runAll = async (works: (() => Work<void>)[]) => {
      const engine = createPostgresEngine({ url: way.url, connections: 1 });
      await engine.write(make("CREATE TABLE IF NOT EXISTS notes (note TEXT)"));
      const before = way.trips();
      const settled = await Promise.allSettled(works.map((work) => engine.write(work, { account: "one" })));
      const trips = way.trips() - before;
      await engine.close();
      return { trips, statuses: settled.map(({ status }) => status) };
    };
    const note = (text: string) => `INSERT INTO notes VALUES ('${text}')`;

    it("statements without answers of a whole group go to a server with its COMMIT", async () => {
      const work = make(note("a"), note("b"), note("c"));
      const { trips, statuses } = await runAll([work, work, work]);
      expect(statuses).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
      // One more is for a heartbeat of the store, which may come between.
      expect(trips).toBeLessThanOrEqual(5);
    });

    it("one of a group fails alone if a statement without an answer fails", async () => {
      await database.execute("DROP TABLE IF EXISTS notes");
      const works = [make(note("first")), make(note("lost"), "SELECT 1 / 0"), make(note("kept"))];
      const { statuses } = await runAll(works);
      expect(statuses).toEqual(["fulfilled", "rejected", "fulfilled"]);
      const notes = await database.execute("SELECT note FROM notes ORDER BY note");
      expect(notes.map((row) => row.note)).toEqual(["first", "kept"]);
    });
  });
});
