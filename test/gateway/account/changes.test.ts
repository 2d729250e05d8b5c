import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../store/databases/database.ts";
import { copyPostgres } from "../../store/databases/postgres.ts";
import { makeSqlite } from "../../store/databases/sqlite.ts";
import { type Desk, openDesk } from "./desk.ts";

/** Statements that make the database refuse every audit entry with this text in its `after`. */
const refusalOf = (text: string) => ({
  sqlite: [
    `CREATE TRIGGER refuse BEFORE INSERT ON audit_log WHEN NEW.after LIKE '%${text}%'
      BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`,
  ],
  postgres: [
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$`,
    `CREATE TRIGGER refuse BEFORE INSERT ON audit_log FOR EACH ROW
      WHEN (NEW.after LIKE '%${text}%') EXECUTE FUNCTION refuse()`,
  ],
});

const KEY = {
  subject: "key",
  action: "key_changed",
  change: { name: "desk", isActive: false, restrictions: { requestsPerMinute: 60, models: ["a-*"] } },
  before: { name: "laptop", isActive: true },
  after: { name: "desk", isActive: false, requestsPerMinute: 60, models: ["a-*"] },
  /** The member that is changed last. */
  last: "requestsPerMinute",
};
const ACCOUNT = {
  action: "account_changed",
  change: { name: "Desk", isActive: false },
  before: { name: "Ada", isActive: true },
  after: { name: "Desk", isActive: false },
  last: "isActive",
};

describe.each([
  ["SQLite", makeSqlite],
  ["Postgres", copyPostgres],
] as const)("a change of several members on %s", (_, make) => {
  let desk: Desk;
  let database: Database;
  beforeEach(async () => {
    desk = await openDesk({
      make: async () => {
        database = await make();
        return database;
      },
    });
  });
  afterEach(() => desk.close());

  const stored = async () => ({
    key: await desk.store.keys.get({ accountId: "acc", id: "key" }),
    account: await desk.store.accounts.get("acc"),
  });

  describe.each([
    ["of a key by a session", "/api-keys/key", "bySession", KEY],
    ["of a key by a session below the prefix", "/api/compat/v1/api-keys/key", "bySession", KEY],
    ["of a key by an operator", "/api/admin/accounts/acc/api-keys/key", "byAdmin", KEY],
    ["of an account by an operator", "/api/admin/accounts/acc", "byAdmin", ACCOUNT],
  ] as const)("%s", (_, path, by, { action, change, before, after, last, ...rest }) => {
    const audited = async () => {
      const filter = `/api/admin/audit-log?account=acc&action=${action}`;
      return (await desk.byAdmin("GET", filter)).body.results;
    };

    it("a change of several members has one commit and one audit entry", async () => {
      const { key } = await stored();
      expect((await desk[by]("PATCH", path, change)).body).toMatchObject(change);
      expect(await audited()).toEqual([expect.objectContaining({ ...rest, before, after })]);
      expect(desk.lines.filter((line) => line.includes(`"${action}"`))).toHaveLength(1);
      expect((await stored()).key?.revision).toBe(key!.revision + (action === "key_changed" ? 1 : 0));
    });

    it("a change of several members that fails in the middle changes none", async () => {
      // A session has to have begun before what it stores counts as unchanged.
      await desk.signIn();
      const unchanged = await stored();
      for (const statement of refusalOf(last)[database.dialect]) await database.execute(statement);
      expect((await desk[by]("PATCH", path, change)).status).toBe(500);
      expect(await stored()).toEqual(unchanged);
      expect(await audited()).toEqual([]);
    });

    it("a change of no members changes nothing", async () => {
      await desk.signIn();
      const unchanged = await stored();
      expect((await desk[by]("PATCH", path, {})).status).toBe(200);
      expect(await stored()).toEqual(unchanged);
    });
  });
});
