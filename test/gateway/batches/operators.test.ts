import { afterAll, beforeAll, expect, it } from "vitest";
import { ADMIN, type Json } from "../../support/caller.ts";
import { ADA, OTHER } from "../../support/holder.ts";
import { storeCalls } from "../../support/store-calls.ts";
import { BATCHES, type BatchStage, lineOf, openBatchStage } from "./stage.ts";

const ALL = "/api/admin/batches";
const OTHER_KEY = "key-other";

let h: BatchStage;
let now = Date.parse("2026-05-01T00:00:00Z");
/** The batches in the order in which they were begun. */
const ids: string[] = [];

const ask = (path: string, status = 200): Promise<Json> =>
  h.json(path, undefined, status, { headers: { "x-admin-key": ADMIN } });
const listed = async (query: string): Promise<string[]> =>
  (await ask(`${ALL}?${query}`)).results.map((one: Json) => one.id);

beforeAll(async () => {
  h = await openBatchStage({ now: () => now, media: { runJobs: false } });
  const begin = async (key: string): Promise<void> => {
    now += 60_000;
    const headers = { "x-api-key": key };
    const { id: input } = (await (await h.upload(JSON.stringify(lineOf("a")), {}, headers)).json()) as Json;
    const request = { input_file_id: input, endpoint: "/v1/chat/completions", completion_window: "24h" };
    ids.push((await h.json(BATCHES, request, 200, { headers })).id);
  };
  for (const { key } of [ADA, OTHER, ADA]) await begin(key);
  now += 60_000;
  const params = { model: "sim-msgstyle", max_tokens: 8, messages: [{ role: "user", content: "x" }] };
  const requests = [{ custom_id: "a", params }];
  ids.push((await h.json("/api/msgstyle/v1/messages/batches", { requests }, 200)).id);
  await h.json(`${BATCHES}/${ids[0]}/cancel`, {}, 200);
});
afterAll(() => h.close());

it("operators list the batches of all accounts and surfaces, page by page, newest first", async () => {
  const newest = [...ids].reverse();
  expect(await listed("")).toEqual(newest);
  const first = await ask(`${ALL}?limit=3`);
  expect(first.results.map(({ id }: Json) => id)).toEqual(newest.slice(0, 3));
  const second = await ask(`${ALL}?limit=3&before=${first.next}`);
  expect(second).toEqual({ results: [expect.objectContaining({ id: newest[3] })] });
  expect(first.results[2]).toMatchObject({
    ...{ id: ids[1], userId: OTHER.id, accountName: OTHER.id, apiKeyId: OTHER_KEY },
    ...{ surface: "chatstyle", endpoint: "/v1/chat/completions", status: "validating" },
    lines: { total: 0 },
  });
  const wrong = await ask(`${ALL}?before=batch_none`, 400);
  expect(wrong.errors[0]).toContain("before: there is no batch");
});

it("they choose by account, key, state, surface and time", async () => {
  const [one, two, three, four] = ids as [string, string, string, string];
  expect(await listed(`account=${OTHER.id}`)).toEqual([two]);
  expect(await listed(`key=${ADA.keyId},${OTHER_KEY}`)).toEqual([four, three, two, one]);
  expect(await listed(`key=${OTHER_KEY}&account=${ADA.id}`)).toEqual([]);
  expect(await listed("status=cancelling")).toEqual([one]);
  expect(await listed(`status=validating,cancelling&account=${ADA.id}`)).toEqual([four, three, one]);
  expect(await listed("status=completed,failed")).toEqual([]);
  expect(await listed("surface=msgstyle")).toEqual([four]);
  expect(await listed("from=2026-05-01T00:02:00Z&to=2026-05-01T00:04:00Z")).toEqual([three, two]);
  const wrong = await ask(`${ALL}?status=running`, 400);
  expect(wrong.errors[0]).toContain("status: must be one of validating, failed, in_progress");
});

it("they get one, and find it by its id", async () => {
  expect(await ask(`${ALL}/${ids[1]}`)).toMatchObject({ id: ids[1], userId: OTHER.id });
  await ask(`${ALL}/batch_none`, 404);
  const { results } = await ask(`/api/admin/find?q=${ids[1]}`);
  expect(results).toEqual([
    expect.objectContaining({ kind: "batch", id: ids[1], accountId: OTHER.id, path: `${ALL}/${ids[1]}` }),
  ]);
  // Other accounts find nothing.
  expect((await h.json(`/api/compat/v1/find?q=${ids[1]}`)).results).toEqual([]);
  expect((await h.call(ALL)).status).toBe(401);
});

it("a list counts the lines of all its batches at once", async () => {
  const reads = ["batchLines.counts", "batchLines.countsOf", "accounts.get", "accounts.names"];
  expect(await storeCalls(h.store, reads, () => ask(ALL))).toEqual(["accounts.names", "batchLines.countsOf"]);
  expect(await storeCalls(h.store, reads, () => h.json(BATCHES))).toEqual(["batchLines.countsOf"]);
});

it("they cancel a batch of any account, and the audit log says so once", async () => {
  const [, id] = ids as [string, string];
  const cancel = (path: string, status = 200): Promise<Json> =>
    h.json(`${ALL}/${path}`, undefined, status, { headers: { "x-admin-key": ADMIN }, method: "DELETE" });
  for (let times = 0; times < 2; times++)
    expect(await cancel(id)).toMatchObject({ id, userId: OTHER.id, status: "cancelling" });
  await cancel("batch_none", 404);
  const { results } = await h.store.auditLog.list({ actions: ["batch_cancelled"] }, { offset: 0, limit: 9 });
  expect(results).toMatchObject([{ actor: "operator:operator", accountId: OTHER.id, subject: id }]);
});
