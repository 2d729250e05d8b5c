import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite, type Store } from "@manifold-gateway/store";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeReservation } from "../../store/fixtures.ts";
import { runCommand } from "../../support/commands.ts";

const DAY = 86_400_000;
let folder: string;
let store: Store;
let ids: string[];
/** Fifteen months ago: closed, whenever the test runs. */
const begin = (() => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 15, 1);
})();
const nameOf = (at: number): string => new Date(at).toISOString().slice(0, 7);
const FIRST = nameOf(begin);

it("says on a terminal that there is nothing to archive, and in a pipe nothing", async () => {
  const env = {
    DATABASE_URL: `sqlite:${join(folder, "empty.db")}`,
    MANIFOLD_OBJECTS: `file:${folder}/objects`,
  };
  const on = async (line: string) => (await runCommand(line, { env, isTerminal: true })).output;
  expect(await on("archive --remove")).toMatch(
    /^Nothing to archive: a month is closed 60 days after its end.*\n$/,
  );
  for (const line of ["archive list", "archive verify"])
    expect(await on(line)).toBe("No month is archived.\n");
  expect((await runCommand("archive", { env })).output).toBe("");
});

it("says what is no month before it says that the month is not archived", async () => {
  const asked = runCommand(["archive", "read", "2026-13"], {
    env: { DATABASE_URL: `sqlite:${join(folder, "manifold.db")}` },
  });
  await expect(asked).rejects.toThrow("month: must be a month such as 2026-01");
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "manifold-archive-"));
  store = await openSqlite({ path: join(folder, "manifold.db") });
  await store.accounts.ensure({ id: "acc", name: "Ada", at: begin });
  await store.accounts.credit({ accountId: "acc", amount: 1e9, kind: "topup", reference: "pay", at: begin });
  ids = [];
  for (let month = 0; month < 3; month++) {
    const at = new Date(begin);
    const moment = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + month, 3);
    const id = moment.toString(16).padStart(12, "0") + "ab".repeat(10);
    ids.push(id);
    const made = makeReservation({ accountId: "acc" }, 500_000, { at: moment });
    await store.money.reserve({ ...made, generation: { ...made.generation, id, model: "swift" } });
    await store.money.settle({ id, cost: 250_000, status: "succeeded", usage: { input: 7, output: 9 } });
  }
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (line: string) =>
  runCommand(line, {
    env: {
      DATABASE_URL: `sqlite:${join(folder, "manifold.db")}`,
      MANIFOLD_OBJECTS: `file:${join(folder, "objects")}`,
    },
  });

it("months are archived, verified and removed, the audit is clean, and a bill is printed", async () => {
  const [, last] = [FIRST, nameOf(begin + 80 * DAY)];
  const bill = await run(`archive bill Ada ${FIRST}`);
  const written = await run(`archive --until ${last}`);
  expect(written.code).toBe(0);
  expect(written.lines).toHaveLength(3);
  expect(written.lines[0]).toMatchObject({ month: FIRST, state: "written", records: 1, usdCost: 0.25 });
  expect((await run("archive verify")).lines.map(({ verdict }) => verdict)).toEqual(Array(3).fill("ok"));
  expect((await run(`archive --remove --until ${last}`)).lines.map(({ state }) => state)).toEqual(
    Array(3).fill("removed"),
  );
  const listed = (await run("archive list")).lines;
  expect(listed.map(({ month, removedAt }) => [month, typeof removedAt])).toEqual(
    written.lines.map(({ month }) => [month, "string"]),
  );
  expect(await run("audit")).toMatchObject({ code: 0, lines: ["no difference"] });
  expect(await run(`archive bill Ada ${FIRST}`)).toEqual(bill);
  expect(bill.lines).toEqual([
    { key: "console", model: "swift", requests: 1, usdCost: 0.25, units: { input: 7, output: 9 } },
    { createdAt: new Date(begin).toISOString(), kind: "topup", amount: 1000, id: "pay" },
    { account: "acc", month: FIRST, requests: 1, usdCost: 0.25 },
  ]);
  const read = await run(`archive read ${FIRST} --account Ada --generation ${ids[0]}`);
  expect(read.lines).toMatchObject([{ id: ids[0], userId: "acc", usdCost: 0.25, status: "succeeded" }]);
  const sheet = (await run(`archive read ${FIRST} --csv`)).output.split(/\r?\n/);
  expect(sheet[0]).toMatch(/^id,createdAt,status,/);
  expect(sheet[1]).toMatch(new RegExp(`^${ids[0]},`));
  const refund = run(`accounts refund acc ${ids[0]}`);
  await expect(refund).rejects.toThrow(`of ${FIRST}, whose records are archived`);
  const log = await run("audit-log");
  expect(log.lines.filter(({ action }) => action === "month_removed")).toHaveLength(3);
});

it("a damaged file is named, and its month is not removed", async () => {
  await run(`archive --until ${FIRST}`);
  const files = readdirSync(join(folder, "objects"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const records = files.find((file) => {
    const text = readFileSync(file).toString("latin1");
    return text.includes("records-0001.zst") && !text.includes("movements-0001.zst");
  })!;
  const bytes = readFileSync(records);
  bytes[Math.floor(statSync(records).size / 3)]! ^= 1;
  writeFileSync(records, bytes);
  const { code, lines } = await run("archive verify");
  expect([code, lines]).toEqual([
    1,
    [{ month: FIRST, records: 1, verdict: expect.stringMatching(/records-0001\.zst is damaged/) }],
  ]);
  await expect(run(`archive --remove --until ${FIRST}`)).rejects.toThrow(/records-0001\.zst is damaged/);
  expect((await run("archive list")).lines).toMatchObject([{ month: FIRST, state: "written" }]);
  expect((await store.generations.find(ids[0]!))?.id).toBe(ids[0]);
  await expect(run(`archive --until ${nameOf(Date.now())}`)).rejects.toThrow(/is not closed/);
  await expect(run("archive read 2001-01")).rejects.toThrow("2001-01 is not archived");
});
