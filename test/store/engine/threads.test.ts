import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import { openSqlite, type Store, type StoreLog } from "@manifold-gateway/store";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startHeartbeatTimer } from "../../../packages/store/src/engine/heartbeat-timer.ts";
import { keepThread, threadFile } from "../../../packages/store/src/engine/thread.ts";
import type { Database } from "../databases/database.ts";
import { makePostgres } from "../databases/postgres.ts";
import { logsBegun, makeSqlite } from "../databases/sqlite.ts";
import { makeCaller, makeReservation } from "../fixtures.ts";

/** The threads that were started, so that a test can kill them. The event comes a tick after the start. */
const threads: Worker[] = [];
const watch = (thread: Worker): void => void threads.push(thread);
beforeEach(() => void process.on("worker", watch));
afterEach(() => {
  process.off("worker", watch);
  threads.length = 0;
  vi.useRealTimers();
});

const tick = (): Promise<void> => new Promise((done) => process.nextTick(done));

/** So short that a heartbeat is written every 20 ms. */
const SILENT_MS = 120;
type Line = [fields: Record<string, unknown>, message: string];

const beatOf = async (database: Database, { owner }: Store): Promise<number> => {
  const [row] = await database.execute(`SELECT heartbeat_at FROM instances WHERE owner = '${owner}'`);
  return Number(row?.heartbeat_at);
};
const isLater = (database: Database, store: Store, than: number) =>
  expect.poll(() => beatOf(database, store), { interval: 5, timeout: 10_000 }).toBeGreaterThan(than);

describe.each([
  { name: "SQLite", make: makeSqlite },
  { name: "Postgres", make: makePostgres },
])("the heartbeat of a store on $name", ({ make }) => {
  it("the heartbeat is written while the event loop stands still, and no more once the store is closed", async () => {
    const database = await make();
    const store = await database.open({ silentMs: SILENT_MS });
    store.startHeartbeat();
    store.startHeartbeat();
    await isLater(database, store, await beatOf(database, store));
    const before = Date.now();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    expect(await beatOf(database, store)).toBeGreaterThan(before);
    await store.close();
    expect(await beatOf(database, store)).toBeNaN();
    await database.drop();
  });

  it("a store whose heartbeat has no thread's file does not open", async () => {
    const database = await make();
    const heartbeat = "../../../packages/store/src/engine/heartbeat.ts";
    vi.doMock(heartbeat, () => ({
      threadHeartbeat: () => threadFile("heartbeat", "file:///nowhere/main.js"),
    }));
    try {
      await expect(database.open()).rejects.toThrow("The file of the heartbeat thread is missing");
    } finally {
      vi.doUnmock(heartbeat);
      await database.drop();
    }
  });

  it("the heartbeat is written from the loop in a runtime whose threads are only a name", async () => {
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
    const database = await make();
    const store = await database.open({ silentMs: SILENT_MS });
    const others = threads.length;
    store.startHeartbeat();
    await isLater(database, store, await beatOf(database, store));
    expect(threads.length).toBe(others);
    await store.close();
    vi.unstubAllGlobals();
    await database.drop();
  });

  it("the heartbeat continues in another thread when its own is lost, and the log says so", async () => {
    const lines: Line[] = [];
    const database = await make();
    const store = await database.open({
      silentMs: SILENT_MS,
      log: { warn: (...line) => void lines.push(line) },
    });
    const others = threads.length;
    store.startHeartbeat();
    await isLater(database, store, await beatOf(database, store));
    await threads[others]!.terminate();
    expect(lines).toEqual([[expect.objectContaining({ thread: "heartbeat", waitMs: 100 }), "thread lost"]]);
    await isLater(database, store, Date.now());
    expect(lines).toHaveLength(1);
    await store.close();
    await database.drop();
  });
});

it("a heartbeat that the database does not take is in the log, and the next one is tried", async () => {
  const lines: Line[] = [];
  const database = await makeSqlite();
  const store = await database.open({
    silentMs: SILENT_MS,
    log: { warn: (...line) => void lines.push(line) },
  });
  await database.execute("ALTER TABLE instances RENAME TO hidden");
  store.startHeartbeat();
  await expect.poll(() => lines.length).toBeGreaterThan(1);
  const cause = expect.stringContaining("no such table");
  expect(lines[0]).toEqual([expect.objectContaining({ code: "SQLITE_ERROR", cause }), "heartbeat failed"]);
  await database.execute("ALTER TABLE hidden RENAME TO instances");
  await isLater(database, store, Date.now());
  await store.close();
  await database.drop();
});

it("a lost checkpoint thread is in the log, and the next one lets the log of the database begin anew", async () => {
  const lines: Line[] = [];
  const database = await makeSqlite();
  const log = { warn: (...line: Line) => void lines.push(line) };
  const store = await openSqlite({ path: database.location, logPages: 200, log });
  const caller = await makeCaller(store, { credit: 1e9 });
  // A store that is closed at once does without it.
  await expect.poll(() => threads.length).toBe(1);
  await threads[0]!.terminate();
  expect(lines).toEqual([[expect.objectContaining({ thread: "checkpoint", waitMs: 100 }), "thread lost"]]);
  await expect.poll(() => threads.length).toBe(2);
  const before = logsBegun(database.location);
  const write = async (): Promise<void> => {
    const { generation, ...rest } = makeReservation(caller, 3);
    await store.money.reserve({ generation, ...rest });
    await store.money.settle({ id: generation.id, cost: 2, status: "succeeded" });
  };
  const size = (): number => statSync(`${database.location}-wal`).size;
  while (size() < 2 * 200 * 4_096 && logsBegun(database.location) === before) await write();
  // From here on there is time for the thread between two writes.
  const begun = expect.poll(() => write().then(() => logsBegun(database.location)), {
    interval: 100,
    timeout: 10_000,
  });
  await begun.toBeGreaterThan(before);
  // At eight times the length a commit would have had to see to it.
  expect(statSync(`${database.location}-wal`).size).toBeLessThan(8 * 200 * 4_096);
  await store.close();
  await database.drop();
});

it("a thread that is lost again and again is restarted after longer and longer waits", async () => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-thread-"));
  const file = join(folder, "thread.mjs");
  writeFileSync(file, "process.exit(3);");
  const lines: Line[] = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const thread = keepThread({
    name: "short-lived",
    file: pathToFileURL(file),
    data: undefined,
    log: { warn: (...line) => void lines.push(line) },
    onMessage() {},
  });
  const waits = [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000];
  for (const [at, waitMs] of waits.entries()) {
    await tick();
    await once(threads[at]!, "exit");
    expect(lines[at]).toEqual([{ thread: "short-lived", error: "exit code 3", waitMs }, "thread lost"]);
    vi.advanceTimersByTime(waitMs - 1);
    await tick();
    expect(threads.length).toBe(at + 1);
    if (at < waits.length - 1) vi.advanceTimersByTime(1);
  }
  await thread.stop();
  vi.advanceTimersByTime(10_000);
  await tick();
  expect(threads.length).toBe(waits.length);
  rmSync(folder, { recursive: true, force: true });
});

it("a store in memory has no heartbeat to write", async () => {
  const store = await openSqlite({ path: ":memory:" });
  store.startHeartbeat();
  await tick();
  expect(threads).toEqual([]);
  await store.close();
});

it("heartbeats without threads go on after one that failed, and end with the last one", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const warnings: string[] = [];
  let beats = 0;
  let finish = (): void => {};
  const beat = async (): Promise<void> => {
    beats += 1;
    if (beats === 1) throw new Error("the database is down");
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
  };
  const heart = startHeartbeatTimer(beat, 1_000, {
    warn: ({ error }, message) => warnings.push(`${message}: ${error}`),
  } as StoreLog);
  vi.advanceTimersByTime(2_000);
  await tick();
  expect([beats, warnings]).toEqual([2, ["heartbeat failed: Error: the database is down"]]);
  let ended = false;
  const ends = heart.stop().then(() => {
    ended = true;
  });
  await tick();
  expect(ended).toBe(false);
  finish();
  await ends;
  vi.advanceTimersByTime(10_000);
  expect(beats).toBe(2);
});

it("a heartbeat keeps no process alive", async () => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-beat-"));
  const program = `import { openSqlite } from "@manifold-gateway/store";
    const store = await openSqlite({ path: ${JSON.stringify(join(folder, "store.db"))} });
    store.startHeartbeat();`;
  const child = spawn(process.execPath, ["--conditions=manifold", "--input-type=module", "--eval", program], {
    cwd: resolve(import.meta.dirname, "../../.."),
    stdio: ["ignore", "inherit", "inherit"],
  });
  expect(await once(child, "exit")).toEqual([0, null]);
  rmSync(folder, { recursive: true, force: true });
});

it("the file of a thread that a bundle has left behind is missed by name, with the remedy", () => {
  expect(() => threadFile("heartbeat", "file:///nowhere/main.js")).toThrow(
    /heartbeat thread is missing: \/nowhere\/heartbeat-thread\.js\. .*--packages=external/,
  );
});
