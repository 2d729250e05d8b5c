/** Times in ms, kept as counts: a quantile is right to about five percent, however many there are. */
export interface Histogram {
  add(ms: number): void;
  quantile(q: number): number;
}

const LEAST = 0.05;
const STEP = Math.log(1.05);

export function createHistogram(): Histogram {
  const counts: number[] = [];
  let total = 0;
  return {
    add(ms) {
      const bucket = ms <= LEAST ? 0 : Math.ceil(Math.log(ms / LEAST) / STEP);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      total++;
    },
    quantile(q) {
      let seen = 0;
      for (let bucket = 0; bucket < counts.length; bucket++) {
        seen += counts[bucket] ?? 0;
        if (seen > 0 && seen >= q * total) return bucket === 0 ? 0 : LEAST * Math.exp(STEP * bucket);
      }
      return 0;
    },
  };
}
