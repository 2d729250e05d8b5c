import { DownloadFault } from "@manifold-gateway/providers";
import { samples } from "@manifold-gateway/simulator";
import { ObjectFault, type Objects } from "@manifold-gateway/store";
import { expect, test } from "vitest";
import { makeSqlite } from "../../store/databases/sqlite.ts";
import { orderOf, serviceAt } from "./orders.ts";
import { mediaJobsOf, useStage } from "./stage.ts";

const stage = useStage(makeSqlite);

/** All keys of the object store. */
const keys = async (): Promise<string[]> => {
  const found: string[] = [];
  for await (const { key } of stage().objects.listOlder(Number.MAX_SAFE_INTEGER)) found.push(key);
  return found;
};

test("bytes that a wire takes as an address only are published while the job goes on", async () => {
  const { accountId } = await stage().caller();
  const run = async (isPublic: boolean) => {
    const jobs = stage().worker({ isPublic });
    jobs.start();
    const order = orderOf("video task", { accountId });
    if (order.kind !== "video") throw new Error("no video");
    const data = samples.mp4({ w: 640, h: 640, seconds: 3 }).toString("base64");
    const source = { type: "base64", mediaType: "video/mp4", data } as const;
    const parts = [...order.ask.parts, { type: "video", source, at: "/content/1" } as const];
    await jobs.submit({ ...order, ask: { ...order.ask, parts } });
    await jobs.wake();
    const during = (await keys()).filter((key) => key.startsWith("inputs/"));
    const job = await stage().finish(jobs, { id: order.id, accountId });
    await jobs.close();
    return { order, during, job };
  };
  const open = await run(true);
  expect(open.job.state).toBe("succeeded");
  expect(open.during).toEqual([`inputs/${open.order.id}-0`]);
  expect(mediaJobsOf(stage(), `/api/objects/inputs/${open.order.id}-0?`)).toHaveLength(1);
  const closed = await run(false);
  expect(closed.job).toMatchObject({
    state: "failed",
    error: { kind: "refused", message: expect.stringContaining("content.1") },
  });
  expect((await keys()).filter((key) => /^(inputs|asks)\//.test(key))).toEqual([]);
});

test("an archived output goes to a provider as an address where there is a public one", async () => {
  const { accountId } = await stage().caller();
  const jobs = stage().worker({ isPublic: true });
  jobs.start();
  const first = orderOf("image by address", { accountId });
  await jobs.submit(first);
  const made = await stage().finish(jobs, { id: first.id, accountId });
  const source = { type: "asset", kind: "output", id: made.outputs[0]!.assetId } as const;
  const second = orderOf("image by address", { accountId });
  if (second.kind !== "image") throw new Error("no image");
  await jobs.submit({ ...second, ask: { ...second.ask, images: [{ source, at: "/content/1" }] } });
  expect((await stage().finish(jobs, { id: second.id, accountId })).state).toBe("succeeded");
  expect(mediaJobsOf(stage(), `${made.outputs[0]!.key}?`)).toHaveLength(1);
  await jobs.close();
});

test("an asset that was deleted before the job began is the caller's error", async () => {
  const { accountId } = await stage().caller();
  const jobs = stage().worker();
  jobs.start();
  const order = orderOf("image inline", { accountId });
  if (order.kind !== "image") throw new Error("no image");
  const source = { type: "asset", kind: "output", id: "gone" } as const;
  await jobs.submit({ ...order, ask: { ...order.ask, images: [{ source, at: "/content/3" }] } });
  const job = await stage().finish(jobs, { id: order.id, accountId });
  expect(job).toMatchObject({
    state: "failed",
    error: { kind: "refused", message: expect.stringContaining("content.3") },
  });
  expect(stage().simulator.ledger.mediaJobs()).toEqual([]);
  await jobs.close();
});

test.each([
  ["a defect of the host is in the log", new TypeError("no proxy is set"), ["defect"]],
  ["a file that is away is not", new DownloadFault("download_failed", new Error("10.0.0.1 is away")), []],
])("an input that cannot be fetched is told without a cause: %s", async (_, error, messages) => {
  const { accountId } = await stage().caller();
  const jobs = stage().worker({ fetch: () => Promise.reject(error) });
  jobs.start();
  const order = orderOf("video operation", { accountId });
  if (order.kind !== "video") throw new Error("no video");
  const source = { type: "url", url: "https://files.example/a.png" } as const;
  const parts = [
    ...order.ask.parts,
    { type: "image", role: "firstFrame", source, at: "/content/1" } as const,
  ];
  await jobs.submit({ ...order, ask: { ...order.ask, parts } });
  const job = await stage().finish(jobs, { id: order.id, accountId });
  expect(job.error?.message).toMatch(/^content\.1: the file could not be fetched\.?$/i);
  const lines = stage().logged.filter(({ level }) => level !== "info");
  expect(lines.map(({ message }) => message)).toEqual(messages);
  for (const { fields } of lines)
    expect(fields).toEqual({ while: "job input not fetched", job: order.id, error: error.stack });
  await jobs.close();
});

test("an object store that is down delays jobs, and costs nothing where it stays down", async () => {
  const { accountId } = await stage().caller();
  let failures = 0;
  const objects: Objects = {
    ...stage().objects,
    async put(key, bytes, options) {
      if (failures-- > 0) throw new ObjectFault("unavailable");
      return stage().objects.put(key, bytes, options);
    },
  };
  const jobs = stage().worker({ objects });
  jobs.start();
  for (const [times, state] of [
    [2, "succeeded"],
    [99, "failed"],
  ] as const) {
    failures = times;
    const order = orderOf("video task", { accountId });
    await jobs.submit(order);
    const job = await stage().finish(jobs, { id: order.id, accountId });
    expect(job.state).toBe(state);
    const generation = await stage().store.generations.get({ id: order.id, accountId });
    expect((generation?.cost ?? 0) > 0).toBe(state === "succeeded");
  }
  failures = 1;
  const tight = stage().worker({ objects, limits: { ask: 1 } });
  await expect(tight.submit(orderOf("reading", { accountId }))).rejects.toMatchObject({ status: 503 });
  expect(await stage().store.money.audit()).toEqual([]);
  await jobs.close();
});

test("inputs that could not be deleted are deleted at the next start", async () => {
  const { accountId } = await stage().caller();
  const objects: Objects = {
    ...stage().objects,
    async remove() {
      throw new ObjectFault("unavailable");
    },
  };
  const clumsy = stage().worker({ objects, limits: { ask: 1 } });
  clumsy.start();
  const order = orderOf("reading", { accountId }, "Hello.");
  await clumsy.submit(order);
  expect((await stage().finish(clumsy, { id: order.id, accountId })).state).toBe("succeeded");
  await clumsy.close();
  expect(await keys()).toContain(`asks/${order.id}`);
  let tidied = () => {};
  const gone = new Promise<void>((resolve) => {
    tidied = resolve;
  });
  const removing: Objects = {
    ...stage().objects,
    async remove(key) {
      await stage().objects.remove(key);
      tidied();
    },
  };
  const next = stage().worker({ objects: removing });
  next.start();
  await gone;
  expect(await keys()).not.toContain(`asks/${order.id}`);
  await next.close();
});

test("a running job waits while its provider is missing from the configuration", async () => {
  const { accountId } = await stage().caller();
  let isThere = true;
  const jobs = stage().worker({
    service: (entry) => (isThere ? serviceAt(stage().origin, entry) : undefined),
  });
  jobs.start();
  const known = orderOf("video task", { accountId });
  await jobs.submit(known);
  await jobs.wake();
  isThere = false;
  const unknown = orderOf("video task", { accountId });
  await jobs.submit(unknown);
  const refused = await stage().finish(jobs, { id: unknown.id, accountId });
  expect(refused).toMatchObject({ state: "failed", orphan: false, error: { kind: "misconfigured" } });
  for (let turns = 0; turns < 3; turns++) {
    stage().clock.next();
    await jobs.wake();
  }
  expect((await jobs.get({ id: known.id, accountId }))?.state).toBe("queued");
  isThere = true;
  expect((await stage().finish(jobs, { id: known.id, accountId })).state).toBe("succeeded");
  await jobs.close();
});
