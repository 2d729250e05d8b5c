import type { Provider } from "@manifold/providers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Busy, createGates } from "../../packages/gateway/src/routing/gates.ts";
import { createHealth } from "../../packages/gateway/src/routing/health.ts";

const options = { failures: 3, openFor: 1_000, cooling: 60_000 };

function clocked() {
  let at = 1_000_000;
  const health = createHealth(options, () => at);
  return {
    health,
    pass: (ms: number) => {
      at += ms;
    },
    now: () => at,
  };
}

describe("a circuit", () => {
  it("opens after failures in a row, lets one probe through, and closes by its success", () => {
    const { health, pass } = clocked();
    for (let n = 0; n < 2; n++) health.failed("e");
    health.completed("e", 0, 0);
    for (let n = 0; n < 2; n++) health.failed("e");
    expect(health.of("e")?.circuit).toBe("closed");
    health.failed("e");
    expect(health.of("e")).toMatchObject({ circuit: "open", failures: 3 });
    expect(health.enter("e")).toBe(false);
    pass(999);
    expect(health.enter("e")).toBe(false);
    pass(1);
    expect(health.of("e")?.circuit).toBe("half-open");
    expect(health.enter("e")).toBe(true);
    // Others go elsewhere while the probe is under way.
    expect(health.of("e")?.circuit).toBe("open");
    expect(health.enter("e")).toBe(false);
    health.answered("e", 5);
    expect(health.of("e")).toMatchObject({ circuit: "closed", failures: 0, latency: 5 });
    expect(health.enter("e")).toBe(true);
  });

  it("stays open twice as long after each failed probe, up to ten times", () => {
    const { health, pass, now } = clocked();
    for (let n = 0; n < 3; n++) health.failed("e");
    const spans: number[] = [];
    for (let n = 0; n < 6; n++) {
      spans.push((health.of("e")?.until ?? 0) - now());
      pass(spans.at(-1) ?? 0);
      expect(health.enter("e")).toBe(true);
      health.failed("e");
    }
    expect(spans).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  it("lets another probe through where one proved nothing", () => {
    const { health, pass } = clocked();
    for (let n = 0; n < 3; n++) health.failed("e");
    pass(1_000);
    expect(health.enter("e")).toBe(true);
    health.left("e");
    expect(health.enter("e")).toBe(true);
  });

  it("is closed again by time and one success, whatever happened", () => {
    const step = fc.constantFrom("failed", "answered", "completed", "left", "enter", "pass");
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { health, pass } = clocked();
        for (const one of steps) {
          if (one === "pass") pass(700);
          else if (one === "answered") health.answered("e", 1);
          else if (one === "completed") health.completed("e", 1, 1);
          else health[one as "failed" | "left" | "enter"]("e");
        }
        pass(200_000);
        expect(health.enter("e")).toBe(true);
        health.answered("e", 1);
        health.completed("e", 1, 1);
        expect(health.of("e") ?? { circuit: "closed", failures: 0 }).toMatchObject({
          circuit: "closed",
          failures: 0,
        });
      }),
    );
  });

  it("knows how fast an entry answers, of late more than before", () => {
    const { health } = clocked();
    health.completed("e", 50, 1_000);
    expect(health.of("e")?.throughput).toBe(50);
    health.completed("e", 300, 2_000);
    expect(health.of("e")?.throughput).toBe(50 + 0.3 * 100);
    // An answer without tokens, or without time, tells nothing of speed.
    health.completed("e", 0, 1_000);
    health.completed("e", 50, 0);
    expect(health.of("e")?.throughput).toBe(80);
  });

  it("remembers pauses that were asked for, within bounds", () => {
    const { health, pass, now } = clocked();
    health.cool("e", 5);
    expect(health.of("e")?.coolingUntil).toBe(now() + 5_000);
    pass(5_000);
    expect(health.of("e")?.coolingUntil).toBeUndefined();
    health.cool("e", 86_400);
    expect(health.of("e")?.coolingUntil).toBe(now() + 60_000);
  });
});

describe("a gate", () => {
  const provider = (most: number, queue: number, wait: number) =>
    ({ id: "p", origin: "", speaks: {}, concurrency: { most, queue, wait } }) as Provider;

  it("lets as many in as the provider takes, the next when one leaves, in turn", async () => {
    const gates = createGates();
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
    await expect(gates.enter(of)).rejects.toBeInstanceOf(Busy);
    leave();
    leave();
    (await first)();
    (await second)();
    expect(order).toEqual(["first", "second"]);
    expect(gates.enter(of)).toBeTypeOf("function");
  });

  it("waits no longer than the limit", async () => {
    const gates = createGates();
    const of = provider(1, 5, 1);
    await gates.enter(of);
    await expect(gates.enter(of)).rejects.toBeInstanceOf(Busy);
  });

  it("costs nothing where there is no limit", () => {
    expect(createGates().enter({ id: "p", origin: "", speaks: {} })).toBeTypeOf("function");
  });
});
