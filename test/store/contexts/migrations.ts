import { inspectDatabase, MigrationError } from "@manifold-gateway/store";
import { expect, it } from "vitest";
import { MIGRATIONS } from "../../../packages/store/src/migrations/migrate.ts";
import { makeCaller, makeReservation, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";

export const migrations: Context = (_, make) => {
  it("migrations run once when several stores open at the same moment", async () => {
    const database = await make();
    const stores = await Promise.all(Array.from({ length: 4 }, () => database.open()));
    const rows = await database.execute("SELECT number, name FROM migrations");
    expect(rows.map(({ number, name }) => [Number(number), name])).toEqual(
      MIGRATIONS.map(({ name }, at) => [22 + at, name]),
    );
    await Promise.all(stores.map((store) => store.ready()));
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });

  it("a database that is looked at is left as it is", async () => {
    const database = await make();
    const look = () =>
      inspectDatabase(database.dialect === "sqlite" ? `sqlite:${database.location}` : database.location);
    const before = await look();
    expect(before).toMatchObject({ pending: MIGRATIONS.length, exists: false });
    await (await database.open()).close();
    const opened = await look();
    expect(opened).toMatchObject({ exists: true, pending: 0 });
    expect(opened.refusal).toBeUndefined();
    await database.execute("UPDATE migrations SET name = 'other' WHERE number = 22");
    const last = await look();
    expect(last).toMatchObject({ exists: true, pending: 0, refusal: expect.stringContaining('22 "other"') });
    expect(await database.execute("SELECT name FROM migrations WHERE number = 22")).toEqual([
      { name: "other" },
    ]);
    if (last.aheadMs !== undefined) expect(Math.abs(last.aheadMs)).toBeLessThan(10_000);
    await database.drop();
  });

  it("migrations of a newer program leave a running store at work, which knows that it is outdated", async () => {
    const database = await make();
    const store = await database.open();
    const caller = await makeCaller(store, { caps: { total: 1_000 } });
    const lease = { owner: "worker", until: NOW + 60_000 };
    const work = async () => {
      const reservation = makeReservation(caller, 5);
      const { id } = reservation.generation;
      expect(await store.money.reserve(reservation)).toEqual({ ok: true });
      await store.money.settle({ id, accountId: caller.accountId, cost: 5, status: "succeeded" });
      expect(await store.generations.get({ id, ...caller })).toMatchObject({ cost: 5 });
      const job = {
        ...reservation.generation,
        id: `job-${id}`,
        kind: "image",
        at: NOW,
        deadline: NOW,
      } as const;
      const generation = { ...reservation.generation, id: job.id };
      await store.jobs.create(job, { reservation: { ...reservation, generation } });
      const terms = { now: NOW, until: lease.until, most: 1, kinds: ["image"] } as const;
      const [claimed] = await store.jobs.claim(lease.owner, terms);
      expect(claimed?.id).toBe(job.id);
      expect(await store.jobs.get({ id: job.id, ...caller })).toMatchObject({ state: "queued" });
      const asset = { id: "asset", accountId: caller.accountId };
      expect(await store.assets.get(asset)).toBeUndefined();
      expect((await store.accounts.get(caller.accountId))?.held).toBeGreaterThan(0);
      expect(await store.keys.find("nothing")).toBeUndefined();
    };
    await work();
    expect(await store.isOutdated()).toBe(false);
    for (const table of ["accounts", "api_keys", "generations", "jobs", "assets", "transfers"])
      await database.execute(`ALTER TABLE ${table} ADD COLUMN later TEXT`);
    await database.execute(
      "INSERT INTO migrations (number, name, applied_at) SELECT max(number) + 1, 'later', 1 FROM migrations",
    );
    expect(await store.isOutdated()).toBe(true);
    await work();
    expect(await store.money.audit()).toEqual([]);
    await store.close();
    await database.drop();
  });

  it("a database of another program is refused", async () => {
    const database = await make();
    await (await database.open()).close();
    await database.execute("UPDATE migrations SET name = 'pets' WHERE number = 22");
    await expect(database.open()).rejects.toThrow(/migration 22 "pets"/);
    await database.drop();
  });

  it("a migration that fails leaves nothing behind", async () => {
    const database = await make();
    await database.execute("CREATE TABLE generations (mine INTEGER)");
    const opening = database.open();
    await expect(opening).rejects.toThrow(MigrationError);
    await expect(opening).rejects.toThrow(/migration 22 "schema" failed/);
    await expect(database.execute("SELECT * FROM migrations")).rejects.toThrow();
    await expect(database.execute("SELECT * FROM accounts")).rejects.toThrow();
    await database.execute("DROP TABLE generations");
    await (await database.open()).close();
    await database.drop();
  });
};
