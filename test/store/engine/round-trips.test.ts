import { openPostgres, type Store } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
});
