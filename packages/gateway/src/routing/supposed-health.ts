import { z } from "zod";
import type { CircuitBreakers, EntryHealth } from "../ports/routing.ts";

const supposed = z.strictObject({
  circuit: z.enum(["closed", "open", "half-open"]).optional(),
  failures: z.int().min(0).max(1_000_000).optional(),
  latency: z.number().min(0).max(3_600_000).optional().describe("Milliseconds to the first byte."),
  throughput: z.number().min(0).max(1_000_000).optional().describe("Output tokens per second."),
});

/** Health that an operator supposes for entries, by their ids. */
export const suppositions = z.record(z.string().max(64), supposed);
export type Suppositions = z.output<typeof suppositions>;

/** Circuit breakers that report the supposed health, and the real one for all other entries. They record nothing. */
export function supposing(breakers: CircuitBreakers, all: Suppositions): CircuitBreakers {
  const suppose = (id: string, actual: EntryHealth | undefined): EntryHealth | undefined => {
    const wanted = Object.hasOwn(all, id) ? all[id] : undefined;
    if (!wanted) return actual;
    const { circuit, failures, latency, throughput } = wanted;
    const { until, ...rest } = actual ?? { circuit: "closed" as const, failures: 0 };
    return {
      ...rest,
      ...(circuit === undefined && until !== undefined && { until }),
      ...(circuit !== undefined && { circuit }),
      ...(failures !== undefined && { failures }),
      ...(latency !== undefined && { latency }),
      ...(throughput !== undefined && { throughput }),
    };
  };
  const of: CircuitBreakers["of"] = (id, account) => suppose(id, breakers.of(id, account));
  return { ...breakers, of, isOpen: (id, account) => of(id, account)?.circuit === "open" };
}
