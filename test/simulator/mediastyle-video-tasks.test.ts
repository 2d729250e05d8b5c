import { expect, test } from "vitest";
import { model, PATH, stageVideos, text } from "./video-tasks.ts";

let now = 1_700_000_000_000;
const { set, create, say, call, read, states, ended } = stageVideos({ now: () => now });

test("scripts set reads before the states, failures, expiry, unknown words and lost tasks", async () => {
  expect(await states(await say("[[outcome:queued=2,running=2]]"), 6)).toEqual([
    ...["queued", "queued", "running", "running", "succeeded", "succeeded"],
  ]);
  expect(await states(await say("[[outcome:running=0]]"), 1)).toEqual(["succeeded"]);
  expect(await states(await say("[[outcome:expire]]"), 2)).toEqual(["running", "expired"]);
  expect(await states(await say("[[outcome:cancel]]"), 2)).toEqual(["running", "cancelled"]);
  expect(await states(await say("[[outcome:state=dreaming]]"), 2)).toEqual(["dreaming", "succeeded"]);
  const failed = await ended(await say("[[outcome:fail=moderation]]"));
  expect(failed).toMatchObject({ status: "failed", error: { code: "OutputVideoSensitiveContentDetected" } });
  expect(failed.usage).toBeUndefined();
  expect((await ended(await say("[[outcome:fail=Some.Code]]"))).error.code).toBe("Some.Code");
  const lost = await say("[[outcome:lost=1]]");
  expect([(await call(`/${lost}`)).status, (await call(`/${lost}`)).status]).toEqual([200, 404]);
  const empty = await ended(await say("[[outcome:silent]]"));
  expect([empty.status, empty.content]).toEqual(["succeeded", {}]);
  const refused = await create({ content: [text("[[outcome:refuse=moderation]]")] });
  expect([refused.status, (await refused.json()).error.code]).toEqual([
    400,
    "OutputVideoSensitiveContentDetected",
  ]);
  const billed = set.simulator.ledger
    .mediaJobs({ state: "failed" })
    .flatMap((work) => Object.keys(work.billed));
  expect(billed).toEqual([]);
});

test("polls fail by script without affecting the task", async () => {
  const id = await say("a fox");
  set.simulator.script("[[fault:status=500]]", { operation: "task" });
  set.simulator.script("[[fault:reset]]", { operation: "task" });
  expect((await call(`/${id}`)).status).toBe(500);
  await expect(call(`/${id}`)).rejects.toThrow();
  expect((await read(id)).status).toBe("succeeded");
  expect(set.simulator.ledger.query({ operation: "task" }).map(({ delivered }) => delivered)).toEqual([
    ...["failed", "cut", "complete"],
  ]);
});

test("a waiting task is cancelled, a running one is not, and an ended one is deleted", async () => {
  const waiting = await say("[[outcome:queued=5]]");
  expect((await call(`/${waiting}`, "DELETE")).status).toBe(200);
  expect(await states(waiting, 1)).toEqual(["cancelled"]);
  const running = await say("[[outcome:running=5]]");
  await read(running);
  expect((await call(`/${running}`, "DELETE")).status).toBe(409);
  const done = await say("a fox");
  await ended(done);
  expect((await call(`/${done}`, "DELETE")).status).toBe(200);
  expect((await call(`/${done}`)).status).toBe(404);
  expect((await call("/cgt-none", "DELETE")).status).toBe(404);
  expect(set.simulator.ledger.mediaJobs({ id: done })).toMatchObject([{ state: "succeeded" }]);
});

test("tasks are listed in pages, newest first, by state, id and model, and showing a task counts as a read", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push(await say("a fox"));
  const other = await say("[[outcome:queued=9]]", { model: "sim-video-1-0-pro" });
  const list = async (query: string) => (await call(`?${query}`)).json();
  const first = await list("page_num=1&page_size=2");
  expect([first.total, first.items.map(({ id }: { id: string }) => id)]).toEqual([4, [other, ids[2]]]);
  const named = await list(`filter.task_ids=${ids[0]}&filter.task_ids=${ids[1]}`);
  expect(named.items.map(({ status }: { status: string }) => status)).toEqual(["succeeded", "succeeded"]);
  expect((await list("filter.status=queued")).items).toMatchObject([{ id: other }]);
  expect((await list("filter.model=sim-video-1-0-pro")).total).toBe(1);
  expect((await call("?page_size=501")).status).toBe(400);
  expect((await call("?filter.status=done")).status).toBe(400);
});

test("the clock ends links, waiting tasks and records", async () => {
  const start = now;
  const done = await ended(await say("a fox"));
  const slow = await say("[[outcome:queued=9]]", { execution_expires_after: 3600 });
  now += 3601 * 1000;
  expect((await fetch(done.content.video_url)).status).toBe(200);
  expect((await read(slow)).status).toBe("expired");
  now += 24 * 3600 * 1000;
  expect((await fetch(done.content.video_url)).status).toBe(403);
  now += 7 * 24 * 3600 * 1000;
  expect((await call(`/${done.id}`)).status).toBe(404);
  now = start;
});

const ORPHANS: [what: string, fault: string, answered: number | undefined][] = [
  ["answered with 500 after the task was made", "status=500,late", 500],
  ["answered with 429 after the task was made", "status=429,late", 429],
  ["cut before the first byte", "reset", undefined],
  ["cut inside the body", "cut=5", undefined],
];
test.each(ORPHANS)("a submit leaves an orphan that is %s", async (_, fault, status) => {
  const attempt = create({ content: [text(`a fox [[fault:${fault}]]`)] }).then(async (answer) => {
    await answer.text();
    return answer.status;
  });
  if (status === undefined) await expect(attempt).rejects.toThrow();
  else expect(await attempt).toBe(status);
  const { ledger } = set.simulator;
  expect(ledger.orphans()).toMatchObject([{ isDelivered: false, reads: 0, state: "queued", billed: {} }]);
  // The vendor finishes and bills what nobody knows of.
  set.simulator.finish();
  expect(ledger.orphans()).toMatchObject([{ state: "succeeded", billed: { completion_tokens: 108_900 } }]);
  const { items } = await (await call("")).json();
  expect(items).toHaveLength(1);
  expect(ledger.orphans()).toEqual([]);
});

test("a submit that fails before the task is made leaves nothing", async () => {
  expect((await create({ content: [text("[[fault:html]]")] })).status).toBe(502);
  const strayed = await fetch(set.origin + PATH, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/json", authorization: "Bearer key" },
    body: JSON.stringify({ model, content: [text("[[fault:redirect]]")] }),
  });
  expect(strayed.status).toBe(307);
  expect((await create({ content: [text("[[fault:status=500]]")] })).status).toBe(500);
  expect(set.simulator.ledger.mediaJobs()).toEqual([]);
});
