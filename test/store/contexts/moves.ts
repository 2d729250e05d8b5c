import type { Caps, NewJob } from "@manifold-gateway/store";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { JobNote } from "../../../packages/store/src/jobs/jobs.ts";
import type { JobMove } from "../../../packages/store/src/jobs/move.ts";
import { setting } from "../../system/money/places.ts";
import { makeCaller, makeReservation, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

const LEASE = 60_000;

/** Jobs that go on at another entry than the one that refused them. */
export const moves: Context = (database) => {
  const store = useStore(database);
  const kinds = ["image"] as const;

  const begin = async (amount: number, options: { credit?: number; caps?: Caps } = {}) => {
    const caller = await makeCaller(store(), options);
    const reservation = makeReservation(caller, amount, { exact: true });
    const { id } = reservation.generation;
    reservation.generation.price = { images: 100_000_000 };
    const job: NewJob = {
      ...{ id, kind: "image", ...caller, model: "swift-1", at: NOW, deadline: NOW + LEASE * 60 },
      entry: { provider: "p", name: "n", wire: "w" },
      price: { images: 100_000_000 },
      estimate: { images: 1 },
      course: { fallbacks: [1] },
      lease: { owner: "one", until: NOW + LEASE },
    };
    expect(await store().jobs.create(job, { reservation })).toEqual({ ok: true });
    const ref = { id, owner: "one", attempt: 1, accountId: caller.accountId };
    const note = (more: Partial<JobNote>) => store().jobs.note(ref, { at: NOW, ...more });
    expect(await note({ phase: "sending" })).toBe(true);
    return {
      ...{ id, caller, ref, note },
      read: async () => (await store().jobs.get({ id, ...caller }))!,
      record: async () => (await store().generations.get({ id, ...caller }))!,
      held: async () => (await store().accounts.get(caller.accountId))!.held,
      spent: async () => (await store().money.capStatus(caller.keyId, NOW)).daily,
    };
  };
  const to = (amount: number, more: Partial<JobMove> = {}): JobMove => ({
    ...{ at: NOW + 7, entry: { provider: "q", name: "other", wire: "v" }, tries: 0, amount },
    ...{ price: { images: amount * 1_000_000 }, estimate: { images: 1 }, policy: "threshold" as const },
    course: { fallbacks: [] },
    route: { provider: "q" },
    ...more,
  });

  it.each([250, 100, 40, 0])(
    "a moved job has the price, record and hold of its new entry: %i",
    async (amount) => {
      const { ref, read, record, held } = await begin(100);
      expect(await store().jobs.move(ref, to(amount))).toEqual({ ok: true });
      expect(await read()).toMatchObject({
        ...{ phase: "unsent", state: "queued", nextAt: NOW + 7, tries: 0, course: { fallbacks: [] } },
        entry: { provider: "q", name: "other", wire: "v" },
        price: { images: amount * 1_000_000 },
      });
      expect(await record()).toMatchObject({
        price: { images: amount * 1_000_000 },
        route: { provider: "q" },
      });
      expect(await held()).toBe(amount);
      expect(await store().money.audit()).toEqual([]);
      const [job] = await store().jobs.claim("two", { now: NOW + 7, until: NOW + LEASE, most: 9, kinds });
      const next = { id: ref.id, owner: "two", attempt: job!.attempt };
      const ending = { cost: amount, usage: { images: 1 } };
      expect(await store().jobs.finish(next, { at: NOW + 9, state: "succeeded", ending })).toBe(true);
      expect((await read()).course).toBeUndefined();
      expect(await held()).toBe(0);
      expect(await store().money.audit()).toEqual([]);
    },
  );

  it("a move that is reported twice is one move", async () => {
    const { ref, held } = await begin(100);
    const both = await Promise.all([to(250), to(250)].map((move) => store().jobs.move(ref, move)));
    expect(both).toEqual([{ ok: true }, { ok: true }]);
    expect(await held()).toBe(250);
    expect(await store().money.audit()).toEqual([]);
    await store().jobs.finish(ref, { at: NOW, state: "failed" });
  });

  it.each([
    ["the credit does not cover", { credit: 249 }, "threshold", "balance"],
    ["a cap does not allow", { caps: { daily: 249 } }, "strict", "cap"],
  ] as const)("a move changes nothing where %s the hold", async (_, options, policy, reason) => {
    const { ref, read, record, held } = await begin(100, options);
    const before = [await read(), await record()];
    expect(await store().jobs.move(ref, to(250, { policy }))).toEqual({ ok: false, reason });
    expect([await read(), await record()]).toEqual(before);
    expect(await held()).toBe(100);
    expect(await store().money.audit()).toEqual([]);
    expect(await store().jobs.move(ref, to(249, { policy }))).toEqual({ ok: true });
    await store().jobs.finish(ref, { at: NOW, state: "failed" });
  });

  it("a move passes a cap under the policy that admitted the job, as one request may", async () => {
    const { ref, held, spent } = await begin(100, { caps: { daily: 120 } });
    expect(await store().jobs.move(ref, to(250))).toEqual({ ok: true });
    expect(await held()).toBe(250);
    expect(await spent()).toMatchObject({ spent: 0 });
    await store().jobs.finish(ref, { at: NOW, state: "failed" });
  });

  it.each([
    ["a provider has", { phase: "accepted", upstreamId: "up" }],
    ["a provider has answered", { phase: "answered" }],
  ] as const)("a job is not moved that %s", async (_, note) => {
    const job = await begin(100);
    await job.note(note);
    expect(await store().jobs.move(job.ref, to(250))).toEqual({ ok: false, reason: "lost" });
    expect(await job.held()).toBe(100);
    expect(await job.read()).toMatchObject({ ...note, entry: { provider: "p" } });
    await store().jobs.finish(job.ref, { at: NOW, state: "failed" });
  });

  it("a job is not moved by a worker that has lost its lease, nor after its end", async () => {
    const { ref, read, held } = await begin(100);
    const stale = { ...ref, attempt: 0 };
    expect(await store().jobs.move(stale, to(250))).toEqual({ ok: false, reason: "lost" });
    expect(await held()).toBe(100);
    await store().jobs.finish(ref, { at: NOW, state: "failed" });
    expect(await store().jobs.move(ref, to(250))).toEqual({ ok: false, reason: "lost" });
    expect(await held()).toBe(0);
    expect(await read()).toMatchObject({ state: "failed", entry: { provider: "p" } });
  });

  it("a moved job can be cancelled before its new entry is called", async () => {
    const { id, caller, ref, held } = await begin(100);
    await store().jobs.move(ref, to(250));
    const end = { at: NOW + 8, error: { kind: "cancelled", message: "" }, durationMs: 8 };
    expect(await store().jobs.cancel({ id, accountId: caller.accountId }, end)).toBe(true);
    expect(await held()).toBe(0);
    expect(await store().money.audit()).toEqual([]);
  });

  it("moves, ends and cancelling leave nothing held, in any order", async () => {
    const Step = fc.oneof(
      fc.record({ amount: fc.constantFrom(0, 60, 100, 130, 900) }),
      fc.constantFrom("finish", "cancel", "sending"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(Step, { maxLength: 8 }), async (steps) => {
        const { id, caller, ref, note, held, read } = await begin(100, { credit: 500, caps: { daily: 400 } });
        let expected = 100;
        for (const step of steps) {
          if (step === "sending") await note({ phase: "sending" });
          else if (step === "finish") {
            if (await store().jobs.finish(ref, { at: NOW, state: "failed" })) expected = 0;
          } else if (step === "cancel") {
            const end = { at: NOW, error: { kind: "cancelled", message: "" }, durationMs: 1 };
            if (await store().jobs.cancel({ id, accountId: caller.accountId }, end)) expected = 0;
          } else {
            const moved = await store().jobs.move(ref, to(step.amount, { policy: "strict" }));
            if (moved.ok) expected = step.amount;
          }
          expect(await held()).toBe(expected);
        }
        await store().jobs.finish(ref, { at: NOW, state: "failed" });
        expect(await held()).toBe(0);
        expect((await read()).endedAt).toBeDefined();
      }),
      { numRuns: setting("HISTORIES", 3) },
    );
    expect(await store().money.audit()).toEqual([]);
  });
};
