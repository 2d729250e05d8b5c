import { randomBytes } from "node:crypto";
import { ArchiveError, type Store } from "@manifold-gateway/store";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startOf } from "../../../packages/store/src/engine/month.ts";
import type { Database } from "../databases/database.ts";
import { makeSqlite } from "../databases/sqlite.ts";
import { makeCaller, makeReservation, NOW } from "../fixtures.ts";
import { type MemoryObjects, memoryObjects } from "./memory-objects.ts";

const DAY = 86_400_000;
const MONTHS = ["2026-08", "2026-09", "2026-10"];

describe("an archive whose files are damaged", () => {
  let database: Database;
  let store: Store;
  let objects: MemoryObjects;
  let keys: string[];
  beforeAll(async () => {
    database = await makeSqlite();
    store = await database.open();
    objects = memoryObjects();
    const caller = await makeCaller(store);
    for (const month of MONTHS)
      for (let number = 0; number < 5; number++) {
        const at = startOf(month) + number * DAY;
        const id = at.toString(16).padStart(12, "0") + randomBytes(10).toString("hex");
        const made = makeReservation(caller, 5, { at });
        await store.money.reserve({ ...made, generation: { ...made.generation, id } });
        await store.money.settle({ id, cost: number, status: "succeeded" });
      }
    const terms = { objects, now: NOW, days: 5, mostLines: 2 };
    for await (const _ of store.archive.write(terms));
    keys = [...objects.files.keys()].sort();
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  /** Each changes one file, or puts another in its place. */
  const damages: Record<string, (bytes: Buffer, place: number, other: Uint8Array) => Uint8Array | undefined> =
    {
      missing: () => undefined,
      empty: () => new Uint8Array(),
      "cut off": (bytes, place) => bytes.subarray(0, Math.floor(place * bytes.byteLength)),
      "longer by a byte": (bytes) => Buffer.concat([bytes, Buffer.from([0])]),
      "changed in one bit": (bytes, place) => {
        const changed = Buffer.from(bytes);
        const at = Math.floor(place * bytes.byteLength);
        changed[at] = changed[at]! ^ 1;
        return changed;
      },
      "another file": (_bytes, _place, other) => other,
    };

  it("it is found by verify, which names the month, and nothing of the month is removed", async () => {
    const count = async () => (await database.execute("SELECT count(*) AS n FROM generations"))[0]!.n;
    const before = [await count(), await store.archive.list()];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(damages)),
        fc.nat(),
        fc.nat(),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        async (damage, which, otherOne, place) => {
          const key = keys[which % keys.length]!;
          const bytes = objects.files.get(key)!;
          const other = objects.files.get(keys[otherOne % keys.length]!)!;
          fc.pre(Buffer.compare(bytes, other) !== 0);
          const changed = damages[damage]!(Buffer.from(bytes), place, other);
          if (changed) objects.files.set(key, changed);
          else objects.files.delete(key);
          const month = key.split("/")[2]!;
          const errors: Record<string, string | undefined> = {};
          for await (const { month: verified, error } of store.archive.verify(objects))
            errors[verified] = error;
          const first = store.archive.remove({ objects, now: NOW, days: 5, month: MONTHS[0] });
          const removing = month === MONTHS[0] ? first.next() : undefined;
          const refused = await removing?.then(
            () => "removed",
            (error: Error) => error,
          );
          objects.files.set(key, bytes);
          expect(errors[month]).toContain(key);
          for (const sound of MONTHS.filter((one) => one !== month)) expect(errors[sound]).toBeUndefined();
          if (removing) expect(refused).toBeInstanceOf(ArchiveError);
          expect([await count(), await store.archive.list()]).toEqual(before);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("a month whose place in the chain is another's is refused, and so is one whose records changed since", async () => {
    await database.execute("UPDATE archives SET sha256 = 'x' WHERE month = '2026-08'");
    const errors: (string | undefined)[] = [];
    for await (const { error } of store.archive.verify(objects)) errors.push(error);
    expect(errors[0]).toMatch(
      /2026-08\/manifest.json is damaged: it has the SHA-256 [0-9a-f]{64}, the database x/,
    );
    expect(errors[1]).toMatch(
      /^2026-09: the manifest is of 2026-09 of \d+ after 2026-08 \([0-9a-f]{64}\), not of 2026-09 of \d+ after 2026-08 \(x\)$/,
    );
    expect(errors[2]).toBeUndefined();
    await database.execute("UPDATE generations SET cost = cost + 1 WHERE cost = 4");
    const last = store.archive.verify(objects);
    for await (const { month, error } of last)
      if (month === "2026-10")
        expect(error).toMatch(
          /^2026-10: the database has 5 records of account-.+ that cost 11 micro-USD, and the archive 5 that cost 10$/,
        );
  });

  it("a disk that is full leaves no archive behind, and the next attempt writes it", async () => {
    const other = memoryObjects();
    const next = startOf("2027-01");
    const caller = await makeCaller(store);
    const at = startOf("2026-11");
    for (let number = 0; number < 5; number++) {
      const id = (at + number).toString(16).padStart(12, "0") + randomBytes(10).toString("hex");
      const made = makeReservation(caller, 5, { at: at + number });
      await store.money.reserve({ ...made, generation: { ...made.generation, id } });
      await store.money.settle({ id, cost: number, status: "succeeded" });
    }
    const write = () => store.archive.write({ objects: other, now: next, days: 5, mostLines: 2 }).next();
    for (const full of [0, 1, 2, 4]) {
      let count = 0;
      other.beforePut = () => {
        if (count++ === full) throw new Error("ENOSPC: no space left on device");
      };
      await expect(write()).rejects.toThrow(/^archive\/.+ could not be stored: .*no space left on device$/);
      expect((await store.archive.list()).map(({ month }) => month)).toEqual(MONTHS);
    }
    other.beforePut = () => {};
    expect((await write()).value).toMatchObject({ month: "2026-11", records: 5, cost: 10 });
  });
});
