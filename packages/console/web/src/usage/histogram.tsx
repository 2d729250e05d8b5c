import { count } from "../format.ts";
import { Chart, Legend } from "../ui/chart.tsx";
import { Failed } from "../ui/parts.tsx";
import { shownLabel } from "./label.ts";
import { MEASURES, nameOf } from "./measures.ts";
import { partialOf } from "./partial.ts";
import { ACCOUNT_SERIES, type SeriesPath, type SeriesQuery, useSeries } from "./series.ts";
import { bucketsOf, fitting, spanOf } from "./time.ts";
import { tonesOf } from "./tones.ts";

/** Filters of requests, of which some have no sums. */
type Filters = SeriesQuery & Readonly<Record<string, unknown>>;
const SUMMED = [
  ...(["account", "model", "key", "modality", "status"] as const),
  ...(["surface", "provider", "entry", "tag", "code"] as const),
] as const;

/** Checks whether there are sums of what is chosen: not of end users or costs, nor of several tags together. */
export const isSummed = (filter: Filters): boolean =>
  Object.keys(filter).every((name) => SUMMED.some((one) => one === name)) && !filter.tag?.includes(",");

interface HistogramProps {
  filter: Filters;
  path?: SeriesPath;
  from: string;
  to: string;
  /** What the range is called where the list beside it has none. */
  about?: string | undefined;
  set: (change: Record<string, string | undefined>) => void;
}

const Waiting = () => (
  <div aria-hidden="true">
    <div class="chart"></div>
    <ul class="legend">
      <li>&nbsp;</li>
    </ul>
  </div>
);

const FROM_THE_GROUND = ["outcome-failed", "outcome-refused", "outcome-aborted", "outcome-cancelled"];

const heightOf = (tone: string): number => {
  const place = FROM_THE_GROUND.indexOf(tone);
  return place < 0 ? FROM_THE_GROUND.length : place;
};

/** How many requests there were over a range, by their outcome. A bar chooses its time. */
export function Histogram({ filter, path = ACCOUNT_SERIES, from, to, about, set }: HistogramProps) {
  const bucket = fitting(from, to);
  const { account, provider, model, key, modality, status, surface, entry, tag, code } = filter;
  const ofOperator = { ...(account && { account }), ...(provider && { provider }) };
  const chosen = { ...ofOperator, model, key, modality, status, surface, entry, tag, code };
  const found = useSeries({ ...chosen, from, to, bucket, by: "status", measure: "requests" }, path);
  if (found.isError)
    return <Failed error={found.error} retry={() => void found.refetch()} isTrying={found.isFetching} />;
  // Its room is kept while it loads, so that nothing below it moves.
  if (!found.data) return <Waiting />;
  const { series } = found.data;
  const times = bucketsOf(from, to, bucket);
  const tones = tonesOf(
    series.map(({ name }) => name),
    "status",
  );
  const named = series.map((one, order) => {
    const points = new Map(one.points.map((point) => [point.at, MEASURES.requests.of(point)]));
    return {
      name: nameOf(one, "status"),
      tone: tones[order] as string,
      one,
      values: times.map((at) => points.get(at)),
    };
  });
  const span = (first: number, last: number): void =>
    set({ ...spanOf(times, bucket, first, last), after: undefined });
  return (
    <>
      <Chart
        label={`Requests per ${bucket}, by outcome`}
        times={times.map((at) => shownLabel(at, bucket))}
        // What failed stands on the ground, where one of hundred is seen.
        series={named.toSorted((one, other) => heightOf(one.tone) - heightOf(other.tone))}
        show={count}
        isStacked
        partial={partialOf(times, bucket, { from, to })}
        onPick={(at) => span(at, at)}
        onSpan={span}
      />
      <Legend
        about={series.length > 0 ? about : `${about ?? "In this range:"} none`}
        of={named.map(({ name, tone, one }) => ({
          name,
          tone,
          text: count(MEASURES.requests.of(one.total)),
        }))}
      />
    </>
  );
}
