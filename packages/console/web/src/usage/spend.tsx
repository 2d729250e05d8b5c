import { usd } from "../format.ts";
import { Chart, Legend } from "../ui/chart.tsx";
import { Section } from "../ui/section.tsx";
import { shownLabel } from "./label.ts";
import { nameOf, type Series } from "./measures.ts";
import { partialOf } from "./partial.ts";
import { bucketsOf } from "./time.ts";
import { tonesOf } from "./tones.ts";

interface SpendProps {
  /** Spend split by model. */
  data: Series;
  /** What else requests are narrowed to, as an address says it: `key=…`. */
  narrowed?: string;
}

/** Spend over time by model, each leading to its requests. */
export default function Spend({ data: { series, bucket, from, to }, narrowed }: SpendProps) {
  const times = bucketsOf(from, to, bucket);
  const tones = tonesOf(
    series.map(({ name }) => name),
    "model",
  );
  const named = series.map((one, order) => {
    const points = new Map(one.points.map((point) => [point.at, point.usdCost]));
    const values = times.map((at) => points.get(at));
    return { name: nameOf(one, "model"), tone: tones[order] as string, one, values };
  });
  const also = narrowed === undefined ? "" : `&${narrowed}`;
  return (
    <Section
      title={
        <>
          Spend per {bucket}, by <a href={`/console/usage?by=model${also}`}>model</a>
        </>
      }
    >
      <Chart
        label={`Spend per ${bucket}, by model`}
        times={times.map((at) => shownLabel(at, bucket))}
        series={named}
        show={usd}
        isStacked
        partial={partialOf(times, bucket, { from, to })}
      />
      <Legend
        of={named.map(({ name, tone, one }) => ({
          name,
          tone,
          text: usd(one.total.usdCost),
          href: one.name ? `/console/requests?model=${encodeURIComponent(one.name)}${also}` : undefined,
        }))}
      />
    </Section>
  );
}
