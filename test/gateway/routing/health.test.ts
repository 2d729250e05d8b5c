import { setImmediate } from "node:timers/promises";
import type { Provider } from "@manifold-gateway/providers";
import {
  createCircuitBreakers,
  createProviderLimiter,
  ProviderBusy,
} from "@manifold-gateway/providers/routing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const options = { failures: 3, openFor: 1_000, maxCooldown: 60_000 };

function clocked() {
  let at = 1_000_000;
  const health = createCircuitBreakers(options, () => at);
  return {
    health,
    pass: (ms: number) => {
      at += ms;
    },
    now: () => at,
  };
}

describe("a circuit", () => {
  it("a circuit opens after failures in a row, lets one probe through, and closes by its success", () => {
    const { health, pass } = clocked();
    for (let n = 0; n < 2; n++) health.failed("e", "a");
    health.completed("e", "a", 0, 0);
    for (let n = 0; n < 2; n++) health.failed("e", "a");
    expect(health.of("e", "a")?.circuit).toBe("closed");
    health.failed("e", "a");
    expect(health.of("e", "a")).toMatchObject({ circuit: "open", failures: 3 });
    expect(health.enter("e", "a")).toBe(false);
    pass(999);
    expect(health.enter("e", "a")).toBe(false);
    pass(1);
    expect(health.of("e", "a")?.circuit).toBe("half-open");
    expect(health.enter("e", "a")).toBe(true);
    // Others go elsewhere while the probe is under way.
    expect(health.of("e", "a")?.circuit).toBe("open");
    expect(health.enter("e", "a")).toBe(false);
    health.answered("e", "a", 5);
    expect(health.of("e", "a")).toMatchObject({ circuit: "closed", failures: 0, latency: 5 });
    expect(health.enter("e", "a")).toBe(true);
  });

  it("a circuit stays open twice as long after each failed probe, up to ten times", () => {
    const { health, pass, now } = clocked();
    for (let n = 0; n < 3; n++) health.failed("e", "a");
    const spans: number[] = [];
    const openSince = now();
    for (let n = 0; n < 6; n++) {
      expect(health.of("e", "a")).toMatchObject({ openSince });
      spans.push((health.of("e", "a")?.until ?? 0) - now());
      pass(spans.at(-1) ?? 0);
      expect(health.enter("e", "a")).toBe(true);
      health.failed("e", "a");
    }
    expect(spans).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    health.answered("e", "a", 5);
    expect(health.of("e", "a")?.openSince).toBeUndefined();
  });

  it("a circuit lets another probe through where one proved nothing", () => {
    const { health, pass } = clocked();
    for (let n = 0; n < 3; n++) health.failed("e", "a");
    pass(1_000);
    expect(health.enter("e", "a")).toBe(true);
    health.inconclusive("e", "a");
    expect(health.enter("e", "a")).toBe(true);
  });

  it("a circuit is never opened for others by the failures of one account", () => {
    const { health } = clocked();
    for (let n = 0; n < 50; n++) health.failed("e", "attacker");
    expect(health.of("e", "attacker")).toMatchObject({ circuit: "open", failures: 50 });
    expect(health.of("e", "victim")).toMatchObject({ circuit: "closed", failures: 1 });
    expect(health.enter("e", "attacker")).toBe(false);
    expect(health.enter("e", "victim")).toBe(true);
    expect(health.all().get("e")).toMatchObject({ circuit: "closed", openAccounts: 1 });
  });

  it("a circuit opens for everybody on failures of several accounts, each of which counts for a third", () => {
    const { health, pass } = clocked();
    for (let n = 0; n < 9; n++) health.failed("e", "a");
    health.failed("e", "b");
    expect(health.of("e", "c")?.circuit).toBe("closed");
    health.failed("e", "c");
    expect(health.of("e", "d")?.circuit).toBe("open");
    pass(1_000);
    expect(health.enter("e", "d")).toBe(true);
    health.answered("e", "d", 5);
    expect(health.of("e", "d")).toMatchObject({ circuit: "closed", failures: 0 });
    // An account that failed often by itself is left out until a probe of its own.
    expect(health.of("e", "a")?.circuit).toBe("half-open");
  });

  it("a circuit needs failures of two accounts even where one failure is enough", () => {
    let at = 0;
    const health = createCircuitBreakers({ ...options, failures: 1 }, () => at++);
    health.failed("e", "a");
    expect(health.of("e", "b")?.circuit).toBe("closed");
    health.failed("e", "b");
    expect(health.of("e", "c")?.circuit).toBe("open");
  });

  it("a circuit is not opened by failures between which others succeed", () => {
    const { health } = clocked();
    for (const account of ["a", "b", "c", "d"]) {
      health.failed("e", account);
      health.completed("e", "honest", 1, 1);
    }
    expect(health.of("e", "honest")?.circuit).toBe("closed");
  });

  it("a circuit that failures of several accounts would open stays closed for others while it serves one of them", () => {
    const { health, pass } = clocked();
    health.completed("e", "honest", 1, 1);
    pass(999);
    for (let n = 0; n < 4; n++) for (const account of ["a", "b", "c"]) health.failed("e", account);
    expect(health.of("e", "a")?.circuit).toBe("open");
    expect(health.of("e", "honest")?.circuit).toBe("closed");
    expect(health.enter("e", "honest")).toBe(true);
    expect(health.all().get("e")).toMatchObject({ circuit: "closed", openAccounts: 3 });
    // The success is too old to say that the entry works.
    pass(1);
    health.failed("e", "d");
    expect(health.of("e", "honest")?.circuit).toBe("open");
  });

  it("a circuit opens for all when the accounts that it served fail as well", () => {
    const { health } = clocked();
    for (const account of ["a", "b", "c"]) health.completed("e", account, 1, 1);
    for (const account of ["a", "b"]) health.failed("e", account);
    health.failed("e", "a");
    expect(health.of("e", "other")?.circuit).toBe("closed");
    health.failed("e", "c");
    expect(health.of("e", "other")?.circuit).toBe("open");
  });

  it("a circuit is not opened for others by accounts that are served before they fail", () => {
    const { health } = clocked();
    health.completed("e", "honest", 1, 1);
    for (const account of ["a", "b", "c"]) health.completed("e", account, 1, 1);
    for (let n = 0; n < 4; n++) for (const account of ["a", "b", "c"]) health.failed("e", account);
    expect(health.of("e", "honest")?.circuit).toBe("closed");
  });

  it("a circuit that is open or probed, and a pause, are over once the clock is set back", () => {
    const { health, pass } = clocked();
    for (let n = 0; n < 3; n++) health.failed("e", "a");
    health.cool("e", 30);
    expect(health.of("e", "a")).toMatchObject({ circuit: "open", coolingUntil: expect.any(Number) });
    pass(-3_600_000);
    expect(health.of("e", "a")).toMatchObject({ circuit: "half-open" });
    expect(health.of("e", "a")?.coolingUntil).toBeUndefined();
    expect(health.enter("e", "a")).toBe(true);
    expect(health.enter("e", "a")).toBe(false);
    pass(-3_600_000);
    expect(health.enter("e", "a")).toBe(true);
  });

  it("a success says no more that an entry works once the clock is set back", () => {
    const { health, pass } = clocked();
    health.completed("e", "honest", 1, 1);
    pass(-3_600_000);
    for (let n = 0; n < 4; n++) for (const account of ["a", "b", "c"]) health.failed("e", account);
    expect(health.of("e", "honest")?.circuit).toBe("open");
  });

  it("a circuit is closed again by time and one success, whatever happened", () => {
    const step = fc.constantFrom("failed", "answered", "completed", "inconclusive", "enter", "pass");
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { health, pass } = clocked();
        for (const one of steps) {
          if (one === "pass") pass(700);
          else if (one === "answered") health.answered("e", "a", 1);
          else if (one === "completed") health.completed("e", "a", 1, 1);
          else health[one as "failed" | "inconclusive" | "enter"]("e", "a");
        }
        pass(200_000);
        expect(health.enter("e", "a")).toBe(true);
        health.answered("e", "a", 1);
        health.completed("e", "a", 1, 1);
        expect(health.of("e", "a") ?? { circuit: "closed", failures: 0 }).toMatchObject({
          circuit: "closed",
          failures: 0,
        });
      }),
    );
  });

  it("a circuit knows how fast its entry answers, recent answers counting more", () => {
    const { health } = clocked();
    health.completed("e", "a", 50, 1_000);
    expect(health.of("e", "a")?.throughput).toBe(50);
    health.completed("e", "a", 300, 2_000);
    expect(health.of("e", "a")?.throughput).toBe(50 + 0.3 * 100);
    // An answer without tokens, or without time, tells nothing of speed.
    health.completed("e", "a", 0, 1_000);
    health.completed("e", "a", 50, 0);
    expect(health.of("e", "a")?.throughput).toBe(80);
  });

  it("a circuit remembers requested pauses, within bounds", () => {
    const { health, pass, now } = clocked();
    health.cool("e", 5);
    expect(health.of("e", "a")?.coolingUntil).toBe(now() + 5_000);
    pass(5_000);
    expect(health.of("e", "a")?.coolingUntil).toBeUndefined();
    health.cool("e", 86_400);
    expect(health.of("e", "a")?.coolingUntil).toBe(now() + 60_000);
  });
});

describe("a concurrency limit", () => {
  const provider = (most: number, queue: number, wait: number) =>
    ({ id: "p", origin: "", speaks: {}, concurrency: { maxConcurrent: most, queue, wait } }) as Provider;

  it("a concurrency limit lets in as many as the provider takes, then one for each that leaves, in turn", async () => {
    const gates = createProviderLimiter();
    const of = provider(1, 2, 10_000);
    const leave = await gates.enter(of);
    const order: string[] = [];
    const wait = async (name: string) => {
      const release = await gates.enter(of);
      order.push(name);
      return release;
    };
    const first = wait("first");
    const second = wait("second");
    await expect(gates.enter(of)).rejects.toBeInstanceOf(ProviderBusy);
    leave?.();
    leave?.();
    (await first)?.();
    (await second)?.();
    expect(order).toEqual(["first", "second"]);
    expect(gates.enter(of)).toBeTypeOf("function");
  });

  it("a concurrency limit that a reload lowers or raises holds for requests that wait already", async () => {
    const gates = createProviderLimiter();
    const running = await Promise.all([
      gates.enter(provider(2, 9, 10_000)),
      gates.enter(provider(2, 9, 10_000)),
    ]);
    const order: string[] = [];
    const wait = (name: string, most: number) =>
      Promise.resolve(gates.enter(provider(most, 9, 10_000))).then(() => order.push(name));
    const first = wait("first", 2);
    const second = wait("second", 1);
    const load = () => gates.all().get("p");
    running[0]?.();
    await setImmediate();
    expect([order, load()]).toEqual([[], { running: 1, waiting: 2 }]);
    await Promise.all([wait("third", 4), first, second]);
    expect([order.length, load()]).toEqual([3, { running: 4, waiting: 0 }]);
  });

  it("a concurrency limit is waited at no longer than allowed", async () => {
    const gates = createProviderLimiter();
    const of = provider(1, 5, 1);
    await gates.enter(of);
    await expect(gates.enter(of)).rejects.toBeInstanceOf(ProviderBusy);
  });

  it("an entry without a concurrency limit lets everything in at once", () => {
    expect(createProviderLimiter().enter({ id: "p", origin: "", speaks: {} })).toBeUndefined();
  });
});
