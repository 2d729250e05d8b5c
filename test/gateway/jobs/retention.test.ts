import { ObjectFault, type Objects } from "@manifold-gateway/store";
import { describe, expect, test } from "vitest";
import { defaultJobLimits } from "../../../packages/gateway/src/jobs/limits.ts";
import { resolveAssets } from "../../../packages/gateway/src/jobs/resolve.ts";
import { createRetention } from "../../../packages/gateway/src/jobs/retention.ts";
import { silent } from "../../support/log.ts";
import { newId, orderOf } from "./orders.ts";
import { allDatabases, useStage } from "./stage.ts";

const DAY = 24 * 3_600_000;
const mediaType = "application/octet-stream";

describe.each(allDatabases)("the retention of files on %s", (_, make) => {
  const stage = useStage(make);

  const retentionOf = (objects: Objects = stage().objects, store = stage().store) =>
    createRetention({
      store,
      files: { objects },
      clock: stage().clock,
      limits: { ...defaultJobLimits, retention: 30 * DAY },
      log: silent,
    });
  const run = async (retention = retentionOf()) => {
    while (await retention.step());
  };
  const make1 = async () => {
    const { accountId } = await stage().caller();
    const jobs = stage().worker();
    jobs.start();
    const order = orderOf("image inline", { accountId });
    await jobs.submit(order);
    const job = await stage().finish(jobs, { id: order.id, accountId });
    await jobs.close();
    const { assetId, key } = job.outputs[0]!;
    return { accountId, jobs, ref: { id: job.id, accountId }, asset: { id: assetId, accountId }, key };
  };
  const exists = async (key: string) => (await stage().objects.head(key)) !== undefined;

  test("an output is deleted after its time, and a later request for it says so", async () => {
    const { accountId, jobs, ref, asset, key } = await make1();
    const part = { source: { type: "asset", kind: "output", id: asset.id } as const, at: "/content/1" };
    const resolve = () => resolveAssets(stage().store, { accountId, parts: [part], provider: "sim" });
    stage().clock.advance(30 * DAY - 1_000);
    await run();
    expect(await exists(key)).toBe(true);
    expect(await resolve()).toMatchObject({ ok: true });
    expect(await jobs.get(ref)).toMatchObject({ expired: false, outputs: [{ key }] });

    stage().clock.advance(2_000);
    await run();
    expect(await exists(key)).toBe(false);
    const row = await stage().store.assets.get(asset);
    expect(row).toMatchObject({ expiredAt: stage().clock.now() });
    expect(row?.key).toBeUndefined();
    await expect(jobs.asset(asset)).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining("has expired"),
    });
    expect(await resolve()).toMatchObject({
      ok: false,
      issues: [{ path: "/content/1", message: expect.stringMatching(/content\.1\.assetId: .*has expired/) }],
    });
    expect(await jobs.get(ref)).toMatchObject({ state: "succeeded", expired: true, outputs: [] });
    expect((await jobs.assets({ accountId }, { offset: 0, limit: 10 })).total).toBe(0);
  });

  test("a file that a running job needs is kept for it, and deleted once the job cannot need it", async () => {
    const { accountId, asset, key } = await make1();
    stage().clock.advance(30 * DAY - 60_000);
    const desk = stage().worker();
    const order = orderOf("image inline", { accountId });
    if (order.kind !== "image") throw new Error("no image");
    const source = { type: "asset", kind: "output", id: asset.id } as const;
    await desk.submit({ ...order, ask: { ...order.ask, images: [{ source, at: "/content/1" }] } });
    stage().clock.advance(120_000);
    await run();
    expect(await exists(key)).toBe(true);
    const worker = stage().worker();
    worker.start();
    const done = await stage().finish(worker, { id: order.id, accountId });
    expect(done.state).toBe("succeeded");
    await worker.close();
    const { deadline, link } = defaultJobLimits;
    stage().clock.advance(deadline.image + link);
    await run();
    expect(await exists(key)).toBe(false);
    expect(await exists(done.outputs[0]!.key)).toBe(true);
  });

  test("files are deleted when their owner asks, but for one that a running job needs", async () => {
    const [one, other] = [await make1(), await make1()];
    const desk = stage().worker();
    await desk.removeFiles({ ...one.ref, accountId: other.accountId });
    expect(await exists(one.key)).toBe(true);
    const order = orderOf("image inline", other);
    if (order.kind !== "image") throw new Error("no image");
    const source = { type: "asset", kind: "output", id: other.asset.id } as const;
    await desk.submit({ ...order, ask: { ...order.ask, images: [{ source, at: "/content/1" }] } });
    for (const { ref } of [one, other]) await desk.removeFiles(ref);
    expect([await exists(one.key), await exists(other.key)]).toEqual([false, true]);
    expect(await desk.get(one.ref)).toMatchObject({ state: "succeeded", expired: true, outputs: [] });
    expect(await desk.get(other.ref)).toMatchObject({ expired: false, outputs: [{ key: other.key }] });
  });

  test("a job that needs a file and a simultaneous deletion of it have one winner", async () => {
    for (let turn = 0; turn < 5; turn++) {
      const { accountId, asset, key } = await make1();
      stage().clock.advance(30 * DAY + 1);
      const desk = stage().worker();
      const order = orderOf("image inline", { accountId });
      if (order.kind !== "image") throw new Error("no image");
      const source = { type: "asset", kind: "output", id: asset.id } as const;
      const ask = { ...order.ask, images: [{ source, at: "/content/1" }] };
      await Promise.all([run(), desk.submit({ ...order, ask })]);
      const kept = (await stage().store.assets.get(asset))?.expiredAt === undefined;
      expect(await exists(key)).toBe(kept);
      const worker = stage().worker();
      worker.start();
      const job = await stage().finish(worker, { id: order.id, accountId });
      await worker.close();
      expect(job.state).toBe(kept ? "succeeded" : "failed");
      if (!kept) expect(job.error?.message).toContain("expired");
    }
  });

  test("a caller's file is kept as long as its record is, and a batch reads it, and is removed then", async () => {
    const { store, objects, clock } = stage();
    const caller = await stage().caller();
    const createdAt = clock.now();
    const put = async (expiresAt: number) => {
      const id = newId();
      const key = `${"b".repeat(32)}/2026-11/${id}`;
      await objects.put(key, Buffer.from(id), { mediaType });
      const file = {
        id: `file-${id}`,
        ...caller,
        purpose: "batch",
        name: "a",
        bytes: 1,
        key,
        createdAt,
        expiresAt,
      };
      await store.files.add(file, 1_000);
      return file;
    };
    const files = [await put(createdAt + DAY), await put(createdAt + 90 * DAY), await put(createdAt + DAY)];
    const [, , { id: input }] = files as [unknown, unknown, { id: string }];
    const batch = {
      id: `batch_${newId()}`,
      ...caller,
      surface: "chatstyle",
      endpoint: "/x",
      input,
      terms: {},
    };
    await store.batches.create({ ...batch, createdAt, expiresAt: createdAt + DAY }, { most: 1 });
    clock.advance(60 * DAY);
    await run();
    expect(await Promise.all(files.map(({ key }) => exists(key)))).toEqual([false, true, true]);
    expect(await store.files.get({ id: files[0]!.id, ...caller })).toBeUndefined();
  });

  test("several processes delete many files at once in small steps, also where some stop half-way", async () => {
    const { store, objects, clock } = stage();
    const other = await stage().database.open();
    const { accountId } = await stage().caller();
    const files = 230;
    const at = clock.now();
    const keys = await Promise.all(
      Array.from({ length: files }, async () => {
        const id = newId();
        const key = `${"a".repeat(32)}/2026-11/${id}`;
        await objects.put(key, Buffer.from(id), { mediaType });
        await store.jobs.create(
          { id, kind: "asset", accountId, model: "", at, deadline: at },
          {
            asset: {
              id,
              accountId,
              kind: "identity",
              type: "Image",
              state: "active",
              key,
              jobId: id,
              createdAt: at,
              updatedAt: at,
            },
          },
        );
        return key;
      }),
    );
    clock.advance(31 * DAY);
    let removals = 0;
    const clumsy: Objects = {
      ...objects,
      async remove(key) {
        if (removals++ % 7 === 3) throw new ObjectFault("unavailable");
        return objects.remove(key);
      },
    };
    const steady = retentionOf();
    await steady.step();
    const left = await Promise.all(keys.map(exists));
    expect(left.filter(Boolean).length).toBeGreaterThanOrEqual(files - 100);
    const some = [retentionOf(clumsy), retentionOf(clumsy, other), steady];
    for (let turn = 0; turn < 6; turn++)
      await Promise.all(
        some.map((one) => one.step().catch((error) => expect(error).toBeInstanceOf(ObjectFault))),
      );
    await run(steady);
    for (const key of keys) expect(await exists(key)).toBe(false);
    const rows = await stage().database.execute(
      `SELECT object_key, expired_at FROM assets WHERE account_id = '${accountId}'`,
    );
    expect(rows).toHaveLength(files);
    for (const row of rows) expect(row).toMatchObject({ object_key: null, expired_at: expect.anything() });
    await other.close();
  });

  test("a file that belongs to nothing is deleted after its grace period, and no other is", async () => {
    const { store, objects, clock } = stage();
    const { accountId, key } = await make1();
    const caller = { accountId };
    const desk = stage().worker({
      limits: { ask: 1, deadline: { ...defaultJobLimits.deadline, video: 90 * DAY } },
    });
    const live = orderOf("video task", caller);
    await desk.submit(live);
    const folder = key.slice(0, key.lastIndexOf("/"));
    const kept = [`asks/${live.id}`, `inputs/${live.id}-0`, `${folder}/${live.id}-0`, key, "elsewhere/file"];
    const gone = [`asks/${newId()}`, `inputs/${newId()}-3`, `${folder}/${newId()}-0`, `${folder}/${newId()}`];
    for (const one of [...kept.slice(1, 3), "elsewhere/file", ...gone])
      await objects.put(one, Buffer.from(one), { mediaType });
    const all = async () => {
      const found = new Set<string>();
      for await (const one of objects.listOlder(Number.MAX_SAFE_INTEGER)) found.add(one.key);
      return found;
    };
    await run();
    for (const one of [...kept, ...gone]) expect(await all()).toContain(one);
    clock.advance(defaultJobLimits.grace + 1);
    const young = `asks/${newId()}`;
    await objects.put(young, Buffer.from("young"), { mediaType });
    await Promise.all([run(), run()]);
    const left = await all();
    for (const one of [...kept, young]) expect(left).toContain(one);
    for (const one of gone) expect(left).not.toContain(one);
    await desk.cancel({ id: live.id, accountId });
    expect(await store.money.audit()).toEqual([]);
  });
});
