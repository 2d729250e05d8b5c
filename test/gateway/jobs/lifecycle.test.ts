import { probe } from "@manifold-gateway/media";
import { type Counts, costOf, type Price } from "@manifold-gateway/store";
import { describe, expect, test } from "vitest";
import { atOnce, type BodyName, bodyNames, newId, orderOf } from "./orders.ts";
import { databases, mediaJobsOf, useStage } from "./stage.ts";

const families = { image: /^image\//, video: /^video\//, speech: /^audio\// } as const;

type Billed = Record<string, number>;
/** What the simulator says it did, as what we count; where its wire does not report that, the charge is estimated. */
const counted: Record<BodyName, { reported: boolean; counts(billed: Billed): Counts }> = {
  "image by address": { reported: true, counts: ({ generated_images: images = 0 }) => ({ images }) },
  "image inline": {
    reported: true,
    counts: ({ input_tokens: input = 0, output_tokens: output = 0 }) => ({
      input,
      output,
      imageOutput: output,
    }),
  },
  "video task": { reported: true, counts: ({ completion_tokens: output = 0 }) => ({ output }) },
  // It bills in US dollars, at seven for a million tokens.
  "video behind a router": { reported: false, counts: ({ cost = 0 }) => ({ output: (cost * 1e6) / 7 }) },
  "video operation": { reported: false, counts: ({ seconds = 0 }) => ({ seconds }) },
  reading: { reported: true, counts: ({ text_words: characters = 0 }) => ({ characters }) },
  "generation with reference": { reported: true, counts: ({ seconds = 0 }) => ({ seconds }) },
};
/** Of work that never ends, in milliseconds: some polls at their longest interval. */
const SOON = 5 * 60_000;
const sameForAll = (ms: number) => ({ image: ms, video: ms, speech: ms, asset: ms });
const late = bodyNames.filter((name) => !atOnce.has(name));

describe.each(databases)("the lifecycle of jobs on %s", (_, make) => {
  const stage = useStage(make);

  const begin = async (name: (typeof bodyNames)[number], directives = "", deadline?: number) => {
    const caller = await stage().caller();
    const mark = newId();
    const own = deadline === undefined ? {} : { limits: { deadline: sameForAll(deadline) } };
    const jobs = stage().worker(own);
    jobs.start();
    const order = orderOf(name, caller, `A turtle ${mark}. ${directives}`);
    const submitted = await jobs.submit(order);
    return { jobs, caller, mark, order, submitted, ref: { id: order.id, accountId: caller.accountId } };
  };
  const ended = async (accountId: string, id: string) => {
    const { store } = stage();
    const account = await store.accounts.get(accountId);
    expect(account?.held).toBe(0);
    expect(await store.money.audit()).toEqual([]);
    return { account: account!, generation: (await store.generations.get({ id, accountId }))! };
  };

  test.each(bodyNames)(
    "%s succeeds: made once, archived, and charged once for what was reported",
    async (name) => {
      const { jobs, ref, order, mark } = await begin(name);
      const job = await stage().finish(jobs, ref);
      expect(job).toMatchObject({ state: "succeeded", orphan: false });
      const mediaJobs = mediaJobsOf(stage(), mark);
      expect(mediaJobs).toHaveLength(1);
      expect(job.outputs.length).toBeGreaterThan(0);
      for (const { key, mediaType, size, assetId } of job.outputs) {
        expect(mediaType).toMatch(families[order.kind]);
        expect((await stage().objects.head(key))?.size).toBe(size);
        const asset = await stage().store.assets.get({ id: assetId, accountId: ref.accountId });
        expect(asset).toMatchObject({ state: "active", kind: "output", key, size });
      }
      expect(job[order.kind]).toBeDefined();
      const { account, generation } = await ended(ref.accountId, ref.id);
      expect(generation.status).toBe("succeeded");
      const { reported, counts } = counted[name];
      expect(generation.cost).toBe(costOf(counts(mediaJobs[0]?.billed ?? {}), order.price as Price));
      expect(generation.usage).toMatchObject(reported ? {} : { estimated: true });
      if (reported) expect(generation.usage).not.toHaveProperty("estimated");
      expect(generation.cost).toBeGreaterThan(0);
      expect(generation.cost).toBeLessThanOrEqual(costOf(order.estimate, order.price));
      expect(account.balance).toBe(1_000_000_000 - generation.cost!);
      expect(generation.route).toMatchObject({ provider: "sim", protocol: order.entry.wire });
      await jobs.close();
    },
  );

  const ENDS: [what: string, directive: string, state: string, error: object][] = [
    ["fails", "[[outcome:fail=internal]]", "failed", {}],
    ["is moderated", "[[outcome:fail=moderation]]", "failed", { kind: "moderated" }],
  ];
  test.each(bodyNames.flatMap((name) => ENDS.map((end) => [name, ...end] as const)))(
    "%s %s: nothing is charged, and the job says why",
    async (name, _, directive, state, error) => {
      // The speech services have no such code: what they refuse is the caller's, and what fails may pass.
      const isSpeech = name === "reading" || name === "generation with reference";
      const { jobs, ref } = await begin(name, directive);
      const job = await stage().finish(jobs, ref);
      expect(job).toMatchObject({ state, ...(!isSpeech && { error }) });
      expect(job.error?.message).toBeTruthy();
      expect(job.outputs).toEqual([]);
      const { account, generation } = await ended(ref.accountId, ref.id);
      expect(account.balance).toBe(1_000_000_000);
      expect(generation).toMatchObject({ status: state, cost: 0 });
      await jobs.close();
    },
  );

  const LATE: [what: string, directive: string, names: readonly string[], state: string, kind: string][] = [
    ["expires", "[[outcome:expire]]", ["video task", "video behind a router"], "failed", "expired"],
    [
      "is cancelled by its provider",
      "[[outcome:cancel]]",
      ["video task", "video behind a router"],
      "cancelled",
      "expired",
    ],
    ["is lost by its provider", "[[outcome:lost=0]]", late, "failed", "expired"],
    ["runs for ever", "[[outcome:running=1000]]", late, "failed", "expired"],
  ];
  test.each(
    LATE.flatMap(([what, directive, names, state, kind]) =>
      late
        .filter((name) => names.includes(name))
        .map((name) => [name, what, directive, state, kind] as const),
    ),
  )("%s that never succeeds costs nothing: it %s", async (name, what, directive, state, kind) => {
    const { jobs, ref, mark } = await begin(name, directive, SOON);
    const job = await stage().finish(jobs, ref);
    expect(job).toMatchObject({ state, error: { kind } });
    expect((await ended(ref.accountId, ref.id)).generation).toMatchObject({ status: state, cost: 0 });
    if (what === "runs for ever") expect(job.endedAt).toBeGreaterThanOrEqual(job.deadline);
    expect(mediaJobsOf(stage(), mark)).toHaveLength(1);
    await jobs.close();
  });

  test("an unknown state keeps the last known one, and the server polls by itself until the end", async () => {
    const { jobs, ref } = await begin("video task", "[[outcome:queued=1,running=3,state=pondering]]");
    await jobs.wake();
    expect(await jobs.get(ref)).toMatchObject({ state: "queued", taskId: expect.any(String) });
    expect((await stage().finish(jobs, ref)).state).toBe("succeeded");
    const byTask = await jobs.get({ id: (await jobs.get(ref))!.taskId!, accountId: ref.accountId });
    expect(byTask?.id).toBe(ref.id);
    await jobs.close();
  });

  test("an order can be waited for until the provider has it, and until it has ended", async () => {
    const { jobs, ref } = await begin("video task");
    const accepted = await jobs.accepted(ref);
    expect(accepted).toMatchObject({ state: "queued", taskId: expect.any(String) });
    const finished = jobs.finished(ref);
    await stage().finish(jobs, ref);
    expect(await finished).toMatchObject({ state: "succeeded", video: { assetId: `${ref.id}-0` } });
    expect((await jobs.accepted(ref)).endedAt).toBeDefined();
    await jobs.close();
  });

  test("a preview is shown where the provider has one, and charged like all else", async () => {
    const jobs = stage().worker();
    jobs.start();
    const caller = await stage().caller();
    const seen: number[] = [];
    const order = orderOf("image inline", caller, "A turtle. [[fault:status=503,times=1]]", {
      preview: ({ index }) => void seen.push(index),
    });
    if (order.kind === "image") order.ask.extra = { protocol: "chatstyle", fields: { partial_images: 2 } };
    await jobs.submit(order);
    const job = await stage().finish(jobs, { id: order.id, accountId: caller.accountId });
    expect(job.state).toBe("succeeded");
    expect(seen.length).toBeGreaterThan(0);
    expect((await ended(caller.accountId, order.id)).generation.cost).toBeGreaterThan(0);
    await jobs.close();
  });

  test("a temporary refusal is retried, no sooner than the provider asked", async () => {
    const { jobs, ref, mark } = await begin("video task", "[[fault:status=429,retry-after=90,times=1]]");
    const began = stage().clock.now();
    await jobs.wake();
    expect((await jobs.get(ref))?.state).toBe("queued");
    expect((await stage().finish(jobs, ref)).state).toBe("succeeded");
    expect(stage().clock.now() - began).toBeGreaterThanOrEqual(90_000);
    expect(mediaJobsOf(stage(), mark)).toHaveLength(1);
    await jobs.close();
  });

  test.each(bodyNames)("%s that may have begun is not sent again, and is reported", async (name) => {
    const { jobs, ref, mark } = await begin(name, "[[fault:cut=0]]");
    const job = await stage().finish(jobs, ref);
    expect(job).toMatchObject({ state: "failed", orphan: true });
    expect(mediaJobsOf(stage(), mark).length).toBeLessThanOrEqual(1);
    expect((await ended(ref.accountId, ref.id)).generation.cost).toBe(0);
    const orphans = await stage().store.jobs.orphans({ offset: 0, limit: 100 });
    expect(orphans.map(({ id }) => id)).toContain(ref.id);
    expect(stage().logged).toContainEqual(
      expect.objectContaining({ level: "warn", fields: expect.objectContaining({ job: ref.id }) }),
    );
    await jobs.close();
  });

  test.each(["image by address", "video task"] as const)(
    "%s whose file cannot be fetched is not charged",
    async (name) => {
      for (const directive of ["[[outcome:gone]]", "[[outcome:silent]]"]) {
        const { jobs, ref } = await begin(name, directive);
        expect(await stage().finish(jobs, ref)).toMatchObject({ state: "failed", outputs: [] });
        expect((await ended(ref.accountId, ref.id)).generation.cost).toBe(0);
        await jobs.close();
      }
    },
  );

  test("insufficient credit is a 403, and nothing begins", async () => {
    const caller = await stage().caller(1);
    const jobs = stage().worker();
    const mark = newId();
    const order = orderOf("video task", caller, mark);
    await expect(jobs.submit(order)).rejects.toMatchObject({ status: 403 });
    expect(await jobs.get({ id: order.id, accountId: caller.accountId })).toBeUndefined();
    expect(mediaJobsOf(stage(), mark)).toEqual([]);
    expect(await stage().store.money.audit()).toEqual([]);
  });

  test("a request with large inline media is kept in the object store while the job goes on", async () => {
    const caller = await stage().caller();
    const jobs = stage().worker({ limits: { ask: 100 } });
    const order = orderOf("image inline", caller, `Long ${"word ".repeat(30)}`);
    await jobs.submit(order);
    const key = (await stage().store.jobs.get({ id: order.id, accountId: caller.accountId }))!.attachment!;
    expect(await stage().objects.head(key)).toBeDefined();
    jobs.start();
    const job = await stage().finish(jobs, { id: order.id, accountId: caller.accountId });
    expect(job.state).toBe("succeeded");
    expect(await stage().objects.head(key)).toBeUndefined();
    await jobs.close();
  });

  test("a job of another account is not found, and archived bytes are what the provider made", async () => {
    const { jobs, ref } = await begin("image inline");
    const job = await stage().finish(jobs, ref);
    const stranger = await stage().caller();
    expect(await jobs.get({ id: ref.id, accountId: stranger.accountId })).toBeUndefined();
    const stored = await stage().objects.get(job.outputs[0]!.key);
    const chunks: Uint8Array[] = [];
    for await (const chunk of stored!.stream) chunks.push(chunk);
    expect(probe(Buffer.concat(chunks))).toMatchObject({ kind: "image", width: 1024, height: 1024 });
    expect(job.image?.images[0]).toMatchObject({
      assetId: `${ref.id}-0`,
      downloadUrl: expect.stringContaining("signature="),
    });
    await jobs.close();
  });
});
