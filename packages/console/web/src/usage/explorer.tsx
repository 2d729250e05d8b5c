import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Chart, Legend } from "../ui/chart.tsx";
import { Choice, Typed } from "../ui/filters.tsx";
import { Empty } from "../ui/parts.tsx";
import type { Lead } from "./link.ts";
import { isMeasure, MEASURES, type Measure, namesOf, type Series } from "./measures.ts";
import { type SeriesPath, useSeries } from "./series.ts";
import { download, toCsv } from "./sheet.ts";
import { UsageTable } from "./table.tsx";
import { BUCKETS, type Bucket, bucketsOf, fitting, label, lastDays, RANGES, spanOf } from "./time.ts";

const TAG = "tag:";

interface ExplorerProps {
  /** The route that the sums come from. */
  path: SeriesPath;
  splits: readonly string[];
  /** Where a figure leads. */
  lead: Lead;
  /** Stands among the filters. */
  filter?: ComponentChildren;
  /** Stands below the spend. */
  children: ComponentChildren;
}

/** Usage by time: one measure, split, in buckets. All of it is in the address. */
export function Explorer({ path, splits, lead, filter, children }: ExplorerProps) {
  const [params, set] = useParams();
  const measureName = isMeasure(params.measure) ? params.measure : "spend";
  const measure: Measure = MEASURES[measureName];
  const range = lastDays(Number(params.days) || 30);
  const { from = range.from, to = range.to } = params;
  const bucket = BUCKETS.find((one) => one === params.bucket) ?? fitting(from, to);
  const by = splits.find((one) => one === params.by);
  const tag = params.by?.startsWith(TAG) ? params.by.slice(TAG.length) : "";
  const narrowing = [...splits, "tag"];
  const filters = Object.fromEntries(narrowing.map((name) => [name, params[name]]));
  const split = tag === "" ? by : TAG + tag;
  const query = { ...filters, from, to, bucket, by: split, measure: measure.rank ?? measureName };
  const found = useSeries(query, path);
  return (
    <>
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
          of={[["", tag === "" ? "nothing" : "a tag"], ...same(splits)]}
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
        {filter}
        {narrowing.map(
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
          <button type="button" onClick={() => set({ days: "365", from: undefined, to: undefined })}>
            Show a year
          </button>
        </Empty>
      )}
      {found.data && found.data.series.length > 0 && (
        <Explored
          {...{ data: found.data, measure, params, set, lead }}
          isStacked={!measure.rank && params.as !== "lines"}
        >
          {children}
        </Explored>
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
  lead: Lead;
  isStacked: boolean;
  children: ComponentChildren;
}

function Explored({ data, measure, params, set, lead, isStacked, children }: ExploredProps) {
  const { route } = useLocation();
  const { from, to, by, series } = data;
  const bucket: Bucket = data.bucket;
  const times = bucketsOf(from, to, bucket);
  const names = namesOf(series, by);
  const named = series.map((one, order) => {
    const points = new Map(one.points.map((point) => [point.at, measure.of(point)]));
    return { of: one, name: names[order] as string, values: times.map((at) => points.get(at)) };
  });
  const sums = times.map((_, at) => named.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  const peak = sums.indexOf(Math.max(...sums));
  const at = times[peak] as string;
  const peakHref = lead(params, { at, bucket });
  const pick = (row: number): void => {
    const href = lead(params, { at: times[row] as string, bucket });
    if (href !== undefined) route(href);
  };
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
        {measure.title}: <b>{show(measure.of(data.total))}</b>; in the period before:{" "}
        {show(measure.of(data.before))}. Highest {bucket}:{" "}
        {peakHref === undefined ? label(at, bucket) : <a href={peakHref}>{label(at, bucket)}</a>}.
      </p>
      <Chart
        label={`${measure.title} per ${bucket}${by ? `, by ${by}` : ""}`}
        times={times.map((time) => label(time, bucket))}
        series={named}
        show={measure.show}
        isStacked={isStacked}
        onPick={pick}
        onSpan={(first, last) => set(spanOf(times, bucket, first, last))}
      />
      <Legend
        of={named.map(({ name, of }) => ({
          name,
          text: show(measure.of(of.total)),
          href: by && of.name ? lead(params, { from, to, bucket, by, name: of.name }) : undefined,
        }))}
      />
      {measure === MEASURES.spend && children}
      <h2>The same as a table</h2>
      <div class="acts">
        <button type="button" onClick={sheet}>
          Download CSV
        </button>
      </div>
      <UsageTable {...{ times, named, bucket, params, lead, show }} by={by} totalOf={measure.of} />
    </>
  );
}
