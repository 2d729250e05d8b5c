import { count } from "../format.ts";
import { Chart, Legend } from "../ui/chart.tsx";
import { nameOf } from "./measures.ts";
import { useSeries } from "./series.ts";
import { bucketsOf, fitting, label, spanOf } from "./time.ts";

interface HistogramProps {
  filter: Record<string, string>;
  from: string;
  to: string;
  set: (change: Record<string, string | undefined>) => void;
}

/** How many requests there were over a range, by their outcome. A bar chooses its time. */
export function Histogram({ filter, from, to, set }: HistogramProps) {
  const bucket = fitting(from, to);
  const { model, key, modality, status, surface, entry, tag } = filter;
  const chosen = { model, key, modality, status, surface, entry, tag };
  const found = useSeries({ ...chosen, from, to, bucket, by: "status", measure: "requests" });
  if (!found.data || found.data.series.length === 0) return null;
  const { series } = found.data;
  const times = bucketsOf(from, to, bucket);
  const named = series.map((one) => {
    const points = new Map(one.points.map((point) => [point.at, point.requests]));
    return { name: nameOf(one, "status"), one, values: times.map((at) => points.get(at)) };
  });
  const span = (first: number, last: number): void =>
    set({ ...spanOf(times, bucket, first, last), after: undefined });
  return (
    <>
      <Chart
        label={`Requests per ${bucket}, by outcome`}
        times={times.map((at) => label(at, bucket))}
        series={named}
        show={count}
        isStacked
        onPick={(at) => span(at, at)}
        onSpan={span}
      />
      <Legend of={named.map(({ name, one }) => ({ name, text: count(one.total.requests) }))} />
    </>
  );
}
