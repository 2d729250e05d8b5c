import { usd } from "../format.ts";
import { Chart, Legend } from "../ui/chart.tsx";
import { Section } from "../ui/section.tsx";
import { shownLabel } from "./label.ts";
import { namesOf, type Series } from "./measures.ts";
import { partialOf } from "./partial.ts";
import { bucketsOf } from "./time.ts";
import { tonesOf } from "./tones.ts";

interface SpendProps {
  data: Series;
  /** What spend is split by. */
  by: "model" | "provider" | "account";
  /** Where all of it is. */
  href: string;
  /** Where what is behind one name is. */
  pageOf: (name: string) => string;
}

/** Spend over time by name, each leading to what is behind it. */
export default function Spend({ data: { series, bucket, from, to }, by, href, pageOf }: SpendProps) {
  const times = bucketsOf(from, to, bucket);
  const names = namesOf(series, by);
  const tones = tonesOf(
    series.map(({ name }) => name),
    by,
  );
  const named = series.map((one, order) => {
    const points = new Map(one.points.map((point) => [point.at, point.usdCost]));
    const values = times.map((at) => points.get(at));
    return { name: names[order] as string, tone: tones[order] as string, one, values };
  });
  return (
    <Section
      title={
        <>
          Spend per {bucket}, by <a href={href}>{by}</a>
        </>
      }
    >
      <Chart
        label={`Spend per ${bucket}, by ${by}`}
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
          href: one.name ? pageOf(one.name) : undefined,
        }))}
      />
    </Section>
  );
}
