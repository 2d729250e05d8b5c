import { MigrationError } from "@manifold/store";
import { expect, it } from "vitest";
import type { Context } from "../suite.ts";

export const migrations: Context = (_, make) => {
  it("run once when several stores open at the same moment", async () => {
    const database = await make();
    const stores = await Promise.all(Array.from({ length: 4 }, () => database.open()));
    const rows = await database.execute("SELECT number FROM migrations ORDER BY number");
    expect(rows.map(({ number }) => Number(number))).toEqual(rows.map((_, i) => i + 1));
    expect(rows.length).toBeGreaterThan(0);
    await Promise.all(stores.map((store) => store.ready()));
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });

  it("refuse a database of a newer program", async () => {
    const database = await make();
    await (await database.open()).close();
    await database.execute(
      "INSERT INTO migrations (number, name, applied_at) SELECT max(number) + 1, 'later', 1 FROM migrations",
    );
    await expect(database.open()).rejects.toThrow(MigrationError);
    await expect(database.open()).rejects.toThrow(/migration \d+ "later", this program knows \d+;/);
    await database.drop();
  });

  it("refuse a database of another program", async () => {
    const database = await make();
    await (await database.open()).close();
    await database.execute("UPDATE migrations SET name = 'pets' WHERE number = 1");
    await expect(database.open()).rejects.toThrow(/migration 1 "pets"/);
    await database.drop();
  });

  it("leave nothing behind when one fails", async () => {
    const database = await make();
    await database.execute("CREATE TABLE generations (mine INTEGER)");
    const opening = database.open();
    await expect(opening).rejects.toThrow(MigrationError);
    await expect(opening).rejects.toThrow(/migration 1 "accounts" failed/);
    await expect(database.execute("SELECT * FROM migrations")).rejects.toThrow();
    await expect(database.execute("SELECT * FROM accounts")).rejects.toThrow();
    await database.execute("DROP TABLE generations");
    await (await database.open()).close();
    await database.drop();
  });
};
