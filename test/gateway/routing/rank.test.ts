import fc from "fast-check";
import { expect, it } from "vitest";
import { decisions, rank, type Standing } from "../../../packages/gateway/src/routing/rank.ts";

const providers = ["a", "b", "c", "d", "e"];
const standing = fc.record<Standing & { n: number }>({
  n: fc.nat(),
  provider: fc.constantFrom(...providers),
  affinity: fc.constantFrom(0, 1, 2),
  cooling: fc.boolean(),
  native: fc.boolean(),
  priority: fc.nat(3),
  draw: fc.option(fc.nat(3), { nil: undefined }),
  failures: fc.nat(2),
  price: fc.nat(3),
  latency: fc.option(fc.nat(3), { nil: undefined }),
  throughput: fc.option(fc.nat(3), { nil: undefined }),
});
const wishes = fc.record(
  {
    order: fc.uniqueArray(fc.constantFrom(...providers)),
    sort: fc.constantFrom("price" as const, "latency" as const, "throughput" as const),
  },
  { requiredKeys: [] },
);

type Wishes = { order?: string[]; sort?: "price" | "latency" | "throughput" };

/** Whether one entry has to be asked before another, said rule by rule. */
function before(a: Standing, b: Standing, { order = [], sort }: Wishes): boolean | undefined {
  const inA = order.includes(a.provider);
  const inB = order.includes(b.provider);
  if (inA !== inB) return inA;
  if (inA && a.provider !== b.provider) return order.indexOf(a.provider) < order.indexOf(b.provider);
  if (a.affinity !== b.affinity) return a.affinity < b.affinity;
  if (a.cooling !== b.cooling) return b.cooling;
  if (sort === "price" && a.price !== b.price) return a.price < b.price;
  if (sort === "latency" && a.latency !== b.latency) {
    if (a.latency === undefined || b.latency === undefined) return b.latency === undefined;
    return a.latency < b.latency;
  }
  if (sort === "throughput" && a.throughput !== b.throughput) {
    if (a.throughput === undefined || b.throughput === undefined) return b.throughput === undefined;
    return a.throughput > b.throughput;
  }
  if (a.native !== b.native) return a.native;
  if (a.priority !== b.priority) return a.priority < b.priority;
  if ((a.draw ?? 0) !== (b.draw ?? 0)) return (a.draw ?? 0) > (b.draw ?? 0);
  if (a.failures !== b.failures) return a.failures < b.failures;
  if (a.price !== b.price) return a.price < b.price;
  return undefined;
}

/** Takes, again and again, the first that nobody has to be asked before. */
function naive<Of extends Standing>(entries: readonly Of[], wish: Wishes): Of[] {
  const left = [...entries];
  const out: Of[] = [];
  while (left.length > 0) {
    const at = left.findIndex((one) => left.every((other) => before(other, one, wish) !== true));
    out.push(...left.splice(at, 1));
  }
  return out;
}

it("entries are called in the order of the rules, one by one", () => {
  fc.assert(
    fc.property(fc.array(standing, { maxLength: 8 }), wishes, (entries, wish) => {
      expect(rank(entries, wish)).toEqual(naive(entries, wish));
    }),
    { numRuns: 500 },
  );
});

it("the rule that is told is the first that tells two neighbours apart", () => {
  fc.assert(
    fc.property(fc.array(standing, { maxLength: 8 }), wishes, (entries, wish) => {
      const ranked = rank(entries, wish);
      const rules = decisions(ranked, wish);
      expect(rules).toHaveLength(ranked.length);
      for (const [at, rule] of rules.entries()) {
        const [one, two] = [ranked[at - 1], ranked[at]];
        if (!one || !two) expect(rule).toBeUndefined();
        else expect(rule === "file").toBe(before(one, two, wish) === undefined);
      }
    }),
    { numRuns: 200 },
  );
});
