import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Tally } from "../../../apps/server/src/telemetry/tally.ts";

interface Labels {
  route: string;
  status: string | number;
}

const labels = fc.record({
  route: fc.constantFrom("/a", "/b", "", "__proto__"),
  status: fc.constantFrom(200, "200", 404),
});

/** A metric as a registry has it: numbers by the texts of their labels. */
function createMetric() {
  const numbers = new Map<string, number>();
  return {
    numbers,
    reset: () => numbers.clear(),
    inc({ route, status }: Labels, by: number) {
      const text = `${route} ${status}`;
      numbers.set(text, (numbers.get(text) ?? 0) + by);
    },
  };
}

describe("a tally", () => {
  it("fills a metric with what the metric would have counted, however often it is read", () => {
    const change = fc.record({ labels, by: fc.integer({ min: -5, max: 5 }), isRead: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const tally = new Tally(["route", "status"]);
        const [direct, filled] = [createMetric(), createMetric()];
        for (const { labels, by, isRead } of changes) {
          direct.inc(labels, by);
          tally.inc(labels, by);
          if (isRead) tally.fill(filled);
        }
        tally.fill(filled);
        expect(filled.numbers).toEqual(direct.numbers);
      }),
    );
  });

  it("counts up and down by one", () => {
    const tally = new Tally(["route", "status"]);
    const metric = createMetric();
    tally.inc({ route: "/a", status: 200 });
    tally.inc({ route: "/a", status: 200 });
    tally.dec({ route: "/a", status: 200 });
    tally.dec({ route: "/b", status: 200 });
    tally.fill(metric);
    expect([...metric.numbers]).toEqual([
      ["/a 200", 1],
      ["/b 200", -1],
    ]);
  });
});
