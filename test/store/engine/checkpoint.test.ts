import Client from "better-sqlite3";
import { expect, it } from "vitest";
import { startCheckpointer } from "../../../packages/store/src/engine/checkpointer.ts";
import { makeSqlite } from "../databases/sqlite.ts";

const LOG_PAGES = 20;
/** Several looks at the log. */
const PINNED_MS = 400;

it("commits pause for a long log only when no report keeps a part of it", async () => {
  const database = await makeSqlite();
  const writer = new Client(database.location);
  writer.pragma("journal_mode = WAL");
  writer.pragma("wal_autocheckpoint = 0");
  writer.exec("CREATE TABLE texts (content TEXT)");
  const insert = writer.prepare("INSERT INTO texts VALUES (?)");
  const reader = new Client(database.location, { readonly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT COUNT(*) FROM texts").get();
  let pauses = 0;
  const log = { path: database.location, logPages: LOG_PAGES };
  const pause = (): void => {
    pauses += 1;
  };
  const checkpointer = startCheckpointer(log, pause, undefined);
  const began = Date.now();
  for (let page = 0; page < 3 * LOG_PAGES; page++) insert.run("x".repeat(4_000));
  await expect.poll(() => Date.now() - began).toBeGreaterThan(PINNED_MS);
  expect(pauses).toBe(0);
  reader.exec("ROLLBACK");
  await expect.poll(() => pauses).toBe(1);
  await checkpointer.stop();
  reader.close();
  writer.close();
  await database.drop();
});
