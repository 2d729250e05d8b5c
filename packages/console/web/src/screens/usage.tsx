import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { useLocation } from "preact-iso";
import { call } from "../api/client.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Chart, Legend } from "../ui/chart.tsx";
import { Choice, Typed } from "../ui/filters.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { toRequests } from "../usage/link.ts";
import { isMeasure, MEASURES, type Measure, nameOf, type Series } from "../usage/measures.ts";
import { Month } from "../usage/month.tsx";
import { download, toCsv } from "../usage/sheet.ts";
import { UsageTable } from "../usage/table.tsx";
import { BUCKETS, type Bucket, bucketsOf, fitting, label, lastDays, RANGES, spanOf } from "../usage/time.ts";

const SPLITS = ["model", "key", "modality", "status", "surface", "entry"] as const;
const FILTERS = [...SPLITS, "tag"] as const;
const TAG = "tag:";

/** What was used, by time: one measure, split, in buckets. All of it is in the address. */
export default function Usage() {
  const [params, set] = useParams();
  const measureName = isMeasure(params.measure) ? params.measure : "spend";
  const measure: Measure = MEASURES[measureName];
  const range = lastDays(Number(params.days) || 30);
  const { from = range.from, to = range.to } = params;
  const bucket = BUCKETS.find((one) => one === params.bucket) ?? fitting(from, to);
  const by = SPLITS.find((one) => one === params.by);
  const tag = params.by?.startsWith(TAG) ? params.by.slice(TAG.length) : "";
  const filters = Object.fromEntries(FILTERS.map((name) => [name, params[name]]));
  const split = tag === "" ? by : TAG + tag;
  const query = { ...filters, from, to, bucket, by: split, measure: measure.rank ?? measureName };
  const found = useQuery({
    queryKey: ["series", query],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/usage/series", { query: query as never, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Head title="Usage" about="Requests count in the hour in which they began, once they have ended." />
      <search class="filters">
        <Choice
          name="Show"
          isFirst
          value={measureName}
          of={Object.entries(MEASURES).map(([name, { title }]) => [name, title])}
          onChange={(value) => set({ measure: value })}
        />
        <Choice
          name="Split by"
          value={by ?? ""}
          of={[["", tag === "" ? "nothing" : "a tag"], ...same(SPLITS)]}
          onChange={(value) => set({ by: value })}
        />
        <Typed
          name="or by tag"
          value={tag}
          placeholder="team"
          onChange={(value) => set({ by: value && TAG + value, tag: undefined })}
        />
        <Choice name="Per" value={bucket} of={same(BUCKETS)} onChange={(value) => set({ bucket: value })} />
        <Choice
          name="Range"
          value={params.from ? "" : (params.days ?? "30")}
          of={[...(params.from ? [["", "as in the link"] as const] : []), ...Object.entries(RANGES)]}
          onChange={(days) => set({ days, from: undefined, to: undefined, bucket: undefined })}
        />
        <Choice
          name="As"
          value={params.as ?? ""}
          of={
            [
              ["", measure.rank ? "lines" : "bars"],
              ["lines", "lines"],
            ].slice(0, measure.rank ? 1 : 2) as [string, string][]
          }
          onChange={(as) => set({ as })}
        />
        {FILTERS.map(
          (name) =>
            params[name] && (
              <button key={name} type="button" onClick={() => set({ [name]: undefined })}>
                {name} {params[name]} <span aria-hidden="true">×</span>
                <span class="hidden">(show all)</span>
              </button>
            ),
        )}
      </search>
      <Awaited what="usage" of={found} />
      {found.data?.series.length === 0 && (
        <Empty>
          <p>No request ended in this range.</p>
          <a class="button" href="/console/usage?days=365">
            Show a year
          </a>
        </Empty>
      )}
      {found.data && found.data.series.length > 0 && (
        <Explored
          {...{ data: found.data, measure, params, set, isStacked: !measure.rank && params.as !== "lines" }}
        />
      )}
    </>
  );
}

const same = (names: readonly string[]): [string, string][] => names.map((name) => [name, name]);

interface ExploredProps {
  data: Series;
  measure: Measure;
  params: Record<string, string>;
  set: (change: Record<string, string | undefined>) => void;
  isStacked: boolean;
}

function Explored({ data, measure, params, set, isStacked }: ExploredProps) {
  const { route } = useLocation();
  const { from, to, by, series } = data;
  const bucket: Bucket = data.bucket;
  const times = bucketsOf(from, to, bucket);
  const named = series.map((one) => {
    const points = new Map(one.points.map((point) => [point.at, measure.of(point)]));
    return { of: one, name: nameOf(one, by), values: times.map((at) => points.get(at)) };
  });
  const sums = times.map((_, at) => named.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  const peak = sums.indexOf(Math.max(...sums));
  const at = times[peak] as string;
  const show = (value: number | undefined): string => (value === undefined ? "–" : measure.show(value));
  const sheet = (): void =>
    download(
      "usage.csv",
      toCsv([
        [bucket, ...named.map(({ name }) => name)],
        ...times.map((time, row) => [time, ...named.map(({ values }) => values[row] ?? 0)]),
      ]),
    );
  return (
    <>
      <p>
        {measure.title}: <b>{show(measure.of(data.total))}</b>, before that {show(measure.of(data.before))}.
        The most was in the {bucket} of <a href={toRequests(params, { at, bucket })}>{label(at, bucket)}</a>.
      </p>
      <Chart
        label={`${measure.title} per ${bucket}${by ? `, by ${by}` : ""}`}
        times={times.map((time) => label(time, bucket))}
        series={named}
        show={measure.show}
        isStacked={isStacked}
        onPick={(row) => route(toRequests(params, { at: times[row] as string, bucket }))}
        onSpan={(first, last) => set(spanOf(times, bucket, first, last))}
      />
      <Legend
        of={named.map(({ name, of }) => ({
          name,
          text: show(measure.of(of.total)),
          href: by && of.name ? toRequests(params, { from, to, bucket, by, name: of.name }) : undefined,
        }))}
      />
      {measure === MEASURES.spend && <Month />}
      <h2>The same as a table</h2>
      <div class="acts">
        <button type="button" onClick={sheet}>
          Download CSV
        </button>
      </div>
      <UsageTable {...{ times, named, bucket, params, show }} by={by} totalOf={measure.of} />
    </>
  );
}
