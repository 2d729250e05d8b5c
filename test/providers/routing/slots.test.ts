import { type Slot, Slots } from "@manifold-gateway/providers/routing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const OWNERS = ["a", "b", "c"] as const;
type Owner = (typeof OWNERS)[number];

const owner = fc.constantFrom(...OWNERS);
const at = fc.nat(30);
const step = fc.oneof(
  fc.record({ does: fc.constant("take"), owner: fc.option(owner), count: fc.integer({ min: 0, max: 4 }) }),
  fc.record({ does: fc.constant("grow"), at, count: fc.integer({ min: 0, max: 4 }) }),
  fc.record({ does: fc.constant("release"), at, times: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ does: fc.constant("enter"), owner }),
  fc.record({ does: fc.constant("abort"), at }),
);
const limit = fc.constantFrom(0, 1, 1, 2, 3, 6, undefined);

describe("slots", () => {
  it("slots are never more than there are, in all and of one owner, and none is lost, whatever happens", async () => {
    const property = fc.asyncProperty(
      limit,
      fc.option(fc.record({ a: fc.nat(4), b: fc.nat(4), c: fc.constant(1) }), { nil: undefined }),
      fc.array(step, { maxLength: 60 }),
      async (total, most, steps) => {
        const each = most && ((owner: Owner) => most[owner]);
        const slots = new Slots<Owner>({ ...(total !== undefined && { total }), ...(each && { each }) });
        const held: Slot<Owner>[] = [];
        const waiting: { owner: Owner; abort: AbortController; isOver: boolean }[] = [];
        const sum = (of?: Owner) =>
          held.reduce((all, { owner, count }) => all + (of === undefined || owner === of ? count : 0), 0);
        const fits = (owner: Owner | undefined, count: number): boolean =>
          sum() + count <= (total ?? Number.POSITIVE_INFINITY) &&
          (owner === undefined || sum(owner) + count <= (most?.[owner] ?? Number.POSITIVE_INFINITY));
        const check = (): void => {
          expect(slots.count).toBe(sum());
          for (const owner of OWNERS) {
            expect(slots.countOf(owner)).toBe(sum(owner));
            expect(slots.waitingOf(owner)).toBe(
              waiting.filter((one) => one.owner === owner && !one.isOver).length,
            );
            // A slot that is free for waiting work is given to it at once.
            if (slots.waitingOf(owner) > 0) expect(slots.limitOf(owner)).toBeDefined();
          }
          expect(slots.owners).toBe(OWNERS.filter((owner) => sum(owner) + slots.waitingOf(owner) > 0).length);
        };
        for (const one of steps) {
          if ("owner" in one && "count" in one) {
            const fitting = fits(one.owner ?? undefined, one.count);
            const slot = slots.take(one.owner ?? undefined, one.count);
            expect(slot !== undefined).toBe(fitting);
            if (slot) held.push(slot);
          } else if ("owner" in one) {
            const entry = { owner: one.owner, abort: new AbortController(), isOver: false };
            waiting.push(entry);
            void slots.enter(one.owner, entry.abort.signal).then(
              (slot) => {
                entry.isOver = true;
                held.push(slot);
              },
              () => {
                entry.isOver = true;
              },
            );
          } else if ("count" in one) {
            const slot = held[one.at % held.length];
            // A released slot is not used again.
            if (!slot?.count) continue;
            const fitting = fits(slot.owner, one.count);
            expect(slots.grow(slot, one.count)).toBe(fitting);
          } else if ("times" in one) {
            const slot = held[one.at % held.length];
            for (let times = 0; slot && times < one.times; times++) slots.release(slot);
          } else waiting[one.at % waiting.length]?.abort.abort();
          await Promise.resolve();
          check();
        }
        for (const { abort } of waiting) abort.abort();
        await Promise.resolve();
        for (const slot of held) slots.release(slot);
        check();
        expect([slots.count, slots.owners]).toEqual([0, 0]);
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });

  it("waiting owners take turns, each with its pieces in the order of their arrival", async () => {
    const arrivals = fc.array(owner, { maxLength: 20 });
    const property = fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 3 }), async (owners, each) => {
      const slots = new Slots<Owner | "first">({ total: 1, each });
      const gate = Promise.withResolvers<void>();
      const order: string[] = [];
      const names = owners.map((owner, index) => ({ owner, name: `${owner}${index}` }));
      const works = names.map(({ owner, name }) => ({ owner, work: async () => void order.push(name) }));
      const all = [slots.run("first", () => gate.promise)];
      for (const { owner, work } of works) all.push(slots.run(owner, work));
      gate.resolve();
      await Promise.all(all);
      const queues = [...new Set(owners)].map((one) => names.filter(({ owner }) => owner === one));
      const rounds = Math.max(0, ...queues.map(({ length }) => length));
      const fair = Array.from({ length: rounds }, (_, round) =>
        queues.flatMap((queue) => queue[round]?.name ?? []),
      );
      expect(order).toEqual(fair.flat());
    });
    await fc.assert(property);
  });

  it("slots are left to others while one owner has as many as it may have", async () => {
    const slots = new Slots({ total: 3, each: 2 });
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const slow = gates.map(({ promise }) => slots.run("slow", () => promise));
    expect(await slots.run("other", async () => "at once")).toBe("at once");
    for (const { resolve } of gates) resolve();
    await Promise.all(slow);
  });

  it("work that fails gives its slot to the next", async () => {
    const slots = new Slots({ total: 1 });
    const gate = Promise.withResolvers<void>();
    const broken = slots.run("a", () => gate.promise);
    const next = slots.run("b", async () => "runs");
    gate.reject(new Error("no"));
    await expect(broken).rejects.toThrow("no");
    expect(await next).toBe("runs");
    expect(slots.count).toBe(0);
  });

  it("work does not wait for a slot longer than its signal allows", async () => {
    const slots = new Slots({ total: 1 });
    const gate = Promise.withResolvers<void>();
    const first = slots.run("a", () => gate.promise);
    const late = new AbortController();
    const second = slots.run("a", async () => "never", late.signal);
    late.abort(new Error("late"));
    await expect(second).rejects.toThrow("late");
    await expect(slots.run("a", async () => "never", late.signal)).rejects.toThrow("late");
    gate.resolve();
    await first;
    expect(await slots.run("a", async () => "free")).toBe("free");
  });

  it("a signal that aborts once its work has a slot changes nothing for work that waits", async () => {
    const slots = new Slots({ total: 1 });
    const [gate, next] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const signal = new AbortController();
    const works = [slots.run("a", () => gate.promise), slots.run("a", () => next.promise, signal.signal)];
    gate.resolve();
    await works[0];
    const last = slots.run("a", async () => "runs");
    signal.abort();
    next.resolve();
    expect(await last).toBe("runs");
  });

  it.each([
    [{ total: 2 }, "total"],
    [{ each: 2 }, "each"],
    [{ total: 2, each: 2 }, "each"],
  ] as const)("slots name the limit that is reached: %j", (limits, name) => {
    const slots = new Slots(limits);
    slots.take("a", 2);
    expect([slots.limitOf("a"), slots.room("a"), slots.limitOf("a", 0)]).toEqual([name, 0, undefined]);
  });
});
