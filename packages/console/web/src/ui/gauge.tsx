import { usd } from "../format.ts";

/** How much of a cap is spent, as a bar and in words. */
export const Gauge = ({ label, spent, limit }: { label: string; spent: number; limit: number }) => (
  <span class="gauge">
    <meter
      aria-label={label}
      min={0}
      max={limit > 0 ? limit : 1}
      high={limit * 0.8}
      optimum={0}
      value={limit > 0 ? Math.min(spent, limit) : 1}
    />
    <span>
      {usd(spent)} of {usd(limit)}
    </span>
  </span>
);
