import { afterAll, beforeAll, expect, it } from "vitest";
import { ADMIN, type Json } from "../../support/caller.ts";
import { ADA, OTHER, OTHER_KEY } from "../../support/holder.ts";
import { startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";
import { storeCalls } from "../../support/store-calls.ts";

let h: Stage;
beforeAll(async () => {
  h = await startMediaStage();
});
afterAll(() => h.close());

const JOBS = "/api/compat/v1/jobs";
const content = [{ type: "text", text: "<b>A boat</b>" }];

it("jobs of all kinds are in one list, each with links to its files", async () => {
  const video = await h.json("/api/v1/video/generations", { model: "video", content });
  await h.json("/api/v1/image/generations", { model: "image", content });
  const all = await h.json(JOBS);
  expect(all.results.map(({ kind }: Json) => kind).sort()).toEqual(["image", "video"]);
  expect([all.total, all.offset, all.limit]).toEqual([2, 0, 20]);
  const ended = await h.json(`${JOBS}?state=ended&kind=image`);
  expect(ended.results).toEqual([
    expect.objectContaining({
      kind: "image",
      status: "succeeded",
      isExpired: false,
      outputs: [expect.objectContaining({ mediaType: expect.stringMatching(/^image\//) })],
    }),
  ]);
  const [{ downloadUrl }] = ended.results[0].outputs;
  expect(downloadUrl).toMatch(/\/api\/objects\//);
  expect(JSON.stringify(ended)).not.toContain('"key"');
  const one = await h.json(`${JOBS}/${video.generationId}`);
  expect(one).toMatchObject({ kind: "video", taskId: video.taskId, content });
});

it("one account's jobs are hidden from another, and a refused query says what is allowed", async () => {
  const { generationId } = await h.json("/api/v1/video/generations", { model: "video", content });
  const headers = { "x-api-key": OTHER_KEY };
  await h.json(`${JOBS}/${generationId}`, undefined, 404, { headers });
  expect((await h.json(JOBS, undefined, 200, { headers })).results).toEqual([]);
  const { errors } = await h.json(`${JOBS}?kind=asset`, undefined, 400);
  expect(errors[0]).toMatch(/^kind: /);
});

it("operators list the jobs of all accounts, page by page, and open one, without what was made", async () => {
  const ALL = "/api/admin/jobs";
  const ask = (path: string, status = 200): Promise<Json> =>
    h.json(path, undefined, status, { headers: { "x-admin-key": ADMIN } });
  const order = { model: "image", content: [{ type: "text", text: "A secret boat" }] };
  await h.json("/api/v1/image/generations", order, 200, { headers: { "x-api-key": OTHER_KEY } });
  const [first, ...rest] = (await ask(ALL)).results;
  const { id } = first;
  expect(first).toMatchObject({
    kind: "image",
    userId: OTHER.id,
    accountName: OTHER.id,
    status: "succeeded",
  });
  expect(first).toMatchObject({ apiKeyId: expect.any(String), provider: expect.any(String) });
  expect(first.outputs).toEqual([expect.objectContaining({ mediaType: expect.stringMatching(/^image\//) })]);
  expect(JSON.stringify(first)).not.toMatch(/secret|downloadUrl/);
  expect(rest.map(({ userId }: Json) => userId)).toEqual(rest.map(() => ADA.id));
  const page = await ask(`${ALL}?limit=1`);
  expect(page).toEqual({ results: [first], next: id });
  // The videos of other tests may end meanwhile.
  const ids = (jobs: Json[]): unknown[] => jobs.map((job) => job.id);
  expect(ids((await ask(`${ALL}?limit=100&before=${page.next}`)).results)).toEqual(ids(rest));
  expect((await ask(`${ALL}?account=${OTHER.id}&key=${first.apiKeyId},none&state=ended`)).results).toEqual([
    first,
  ]);
  expect((await ask(`${ALL}?account=${OTHER.id}&to=${first.createdAt}`)).results).toEqual([]);
  const { outputs, ...one } = await ask(`${ALL}/${id}`);
  expect({ ...one, outputs }).toEqual(first);
  await ask(`${ALL}/none`, 404);
  expect((await ask(`${ALL}?before=none`, 400)).errors[0]).toContain("before: there is no job");
  expect((await ask(`/api/admin/find?q=${id}`)).results).toContainEqual(
    expect.objectContaining({ kind: "job", accountId: OTHER.id, path: `${ALL}/${id}` }),
  );
  expect((await h.call(ALL)).status).toBe(401);
});

it("operators cancel a job of any account, and the audit log says so once", async () => {
  const headers = { "x-admin-key": ADMIN };
  const cancel = (id: string, status = 200): Promise<Json> =>
    h.json(`/api/admin/jobs/${id}`, undefined, status, { headers, method: "DELETE" });
  const slow = [{ type: "text", text: "A boat. [[outcome:queued=1000]]" }];
  const { generationId: id } = await h.json("/api/v1/video/generations", { model: "video", content: slow });
  expect(await cancel(id)).toMatchObject({ id, userId: ADA.id });
  await h.until(`${JOBS}/${id}`, ({ status }) => status === "cancelled");
  expect(await cancel(id)).toMatchObject({ id, status: "cancelled" });
  await cancel("none", 404);
  expect((await h.call(`/api/admin/jobs/${id}`, undefined, { method: "DELETE" })).status).toBe(401);
  const { results } = await h.store.auditLog.list({ actions: ["job_cancelled"] }, { offset: 0, limit: 9 });
  expect(results).toMatchObject([{ actor: "operator:operator", accountId: ADA.id, subject: id }]);
});

it("a list reads the files and the accounts of all its jobs at once", async () => {
  const order = { model: "image", content };
  for (const key of [ADA.key, OTHER_KEY, ADA.key])
    await h.json("/api/v1/image/generations", order, 200, { headers: { "x-api-key": key } });
  const reads = ["assets.get", "assets.expired", "accounts.get", "accounts.names"];
  expect(await storeCalls(h.store, reads, () => h.json(JOBS))).toEqual(["assets.expired"]);
  const ask = () => h.json("/api/admin/jobs", undefined, 200, { headers: { "x-admin-key": ADMIN } });
  expect(await storeCalls(h.store, reads, ask)).toEqual(["assets.expired", "accounts.names"]);
});

it("the price of a model is shown beside its capabilities", async () => {
  const one = await h.json("/api/v1/ai/models/image-pro");
  expect(one.pricing).toMatchObject({
    currency: "USD",
    tiers: [{ when: { pixels: { upTo: 2_360_000 } }, perImage: 0.045 }, { perImage: 0.09 }],
  });
});
