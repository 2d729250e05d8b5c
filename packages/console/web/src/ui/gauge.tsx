import { usd, wholeUsd } from "../format.ts";

interface GaugeProps {
  /** What is limited, in a word. */
  title: string;
  /** The same for screen readers, which hear it alone. */
  label: string;
  spent: number;
  limit: number;
}

/** How much of a cap is spent, as a bar and in words. */
export const Gauge = ({ title, label, spent, limit }: GaugeProps) => (
  <span class="gauge">
    <span class="faint">{title}</span>
    <meter
      aria-label={label}
      min={0}
      max={limit > 0 ? limit : 1}
      high={limit * 0.8}
      optimum={0}
      value={limit > 0 ? Math.min(spent, limit) : 1}
    />
    <span class="number" title={`${wholeUsd(spent)} of ${wholeUsd(limit)}`}>
      {usd(spent)} of {usd(limit)}
    </span>
  </span>
);
