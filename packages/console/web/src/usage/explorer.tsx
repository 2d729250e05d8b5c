import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { call } from "../api/client.ts";
import { FACETS, inWords } from "../request/words.ts";
import { delayOf } from "../state/delay.ts";
import { filtersOf, useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Chart, Legend } from "../ui/chart.tsx";
import { Choice, Typed } from "../ui/filters.tsx";
import { Empty, Failed } from "../ui/parts.tsx";
import { shownLabel } from "./label.ts";
import { filtersIn, type Lead } from "./link.ts";
import {
  highest,
  isMeasure,
  MEASURES,
  type Measure,
  namesOf,
  rankOf,
  type Series,
  spendOf,
} from "./measures.ts";
import { partialOf } from "./partial.ts";
import { RangeFilter } from "./range.tsx";
import { type ALL, type SeriesPath, type SeriesQuery, useSeries } from "./series.ts";
import { download, sheetName, usageSheet } from "./sheet.ts";
import { UsageTable } from "./table.tsx";
import { BUCKETS, type Bucket, bucketsOf, fitting, rangeBefore, rangeIn, spanOf } from "./time.ts";
import { tonesOf } from "./tones.ts";

const TAG = "tag:";
/** The most series that the service lists by name. */
const MOST = 50;

interface ExplorerProps {
  /** The route that the sums come from. */
  path: SeriesPath;
  splits: readonly (keyof SeriesQuery)[];
  /** Where a figure leads. */
  lead: Lead;
  /** What is shown in place of an id in a filter. */
  nameOfId?: (filter: string, id: string) => string | undefined;
  /** Stands among the filters. */
  filter?: ComponentChildren;
  /** Stands below the spend. */
  children: ComponentChildren;
}

/** Usage by time: one measure, split, in buckets. All of it is in the address. */
export function Explorer({ path, splits, lead, nameOfId, filter, children }: ExplorerProps) {
  const [params, set] = useParams();
  const measureName = isMeasure(params.measure) ? params.measure : "spend";
  const measure: Measure = MEASURES[measureName];
  const { from, to } = rangeIn(params);
  const bucket = BUCKETS.find((one) => one === params.bucket) ?? fitting(from, to);
  const by = splits.find((one) => one === params.by);
  const tag = params.by?.startsWith(TAG) ? params.by.slice(TAG.length) : "";
  const narrowing = [...splits, "tag"] as const;
  const filters = filtersOf<typeof ALL>(params, narrowing);
  const split = tag === "" ? by : TAG + tag;
  const query = { ...filters, from, to, bucket, by: split, measure: rankOf(measureName) };
  const found = useSeries(query, path);
  const isCompared = split !== undefined && measureName === "spend";
  const before = useSeries({ ...query, ...rangeBefore({ from, to }), top: MOST }, path, isCompared);
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
          of={[["", tag === "" ? "nothing" : "a tag"], ...splits.map((one) => [one, wordOf(one)] as const)]}
          onChange={(value) => set({ by: value })}
        />
        <Typed
          name="Or by tag"
          value={tag}
          placeholder="team"
          onChange={(value) => set({ by: value && TAG + value, tag: undefined })}
        />
        <Choice name="Per" value={bucket} of={same(BUCKETS)} onChange={(value) => set({ bucket: value })} />
        <RangeFilter
          params={params}
          shown={{ from, to }}
          set={(range) => set({ ...range, bucket: undefined })}
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
                {inWords(FACETS, name)} {nameOfId?.(name, params[name]) ?? params[name]}{" "}
                <span aria-hidden="true">×</span>
                <span class="hidden">(show all)</span>
              </button>
            ),
        )}
      </search>
      <Delayed path={path} />
      <Awaited label="usage" of={found} />
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
          before={isCompared ? before.data : undefined}
          sheet={async () => {
            const whole = await call("get", path, { query: { ...query, top: MOST } });
            download(sheetName(measureName, whole, filtersIn(params)), usageSheet(whole as Series, measure));
          }}
          isStacked={!measure.rank && params.as !== "lines"}
        >
          {children}
        </Explored>
      )}
    </>
  );
}

/** Says that the figures are read from a replica, and how old they may be. */
function Delayed({ path }: { path: SeriesPath }) {
  const delay = delayOf(path);
  return delay === undefined ? null : (
    <p class="faint">From a replica of the database, {delay} s behind at most.</p>
  );
}

const wordOf = (split: string): string => inWords(FACETS, split).toLowerCase();
const same = (names: readonly string[]): [string, string][] => names.map((name) => [name, name]);

interface ExploredProps {
  data: Series;
  /** The same split of the range before, where series are compared with it. */
  before: Series | undefined;
  measure: Measure;
  params: Record<string, string>;
  set: (change: Record<string, string | undefined>) => void;
  lead: Lead;
  /** Downloads the figures. */
  sheet: () => Promise<void>;
  isStacked: boolean;
  children: ComponentChildren;
}

function Explored({ data, before, measure, params, set, lead, sheet, isStacked, children }: ExploredProps) {
  const { route } = useLocation();
  const { from, to, by, series } = data;
  const bucket: Bucket = data.bucket;
  const times = bucketsOf(from, to, bucket);
  const names = namesOf(series, by);
  const tones = tonesOf(
    series.map(({ name }) => name),
    by,
  );
  const named = series.map((one, order) => {
    const points = new Map(one.points.map((point) => [point.at, measure.of(point)]));
    const values = times.map((at) => points.get(at));
    return { of: one, name: names[order] as string, tone: tones[order] as string, values };
  });
  const at = highest(data, measure);
  const pick = (row: number): void => {
    route(lead(params, { from, to, at: times[row] as string, bucket }));
  };
  const show = (value: number | undefined): string => (value === undefined ? "–" : measure.show(value));
  return (
    <>
      <p>
        {measure.title}: <b>{show(measure.of(data.total))}</b>; in the period before:{" "}
        {show(measure.of(data.before))}.
        {at !== undefined && <Highest {...{ at, bucket }} href={lead(params, { from, to, at, bucket })} />}
        {isOutside(data, measure) &&
          ` Refused requests are in no series: they are not counted by ${wordOf(by ?? "")}.`}
      </p>
      <Chart
        label={`${measure.title} per ${bucket}${by ? `, by ${wordOf(by)}` : ""}`}
        times={times.map((time) => shownLabel(time, bucket))}
        series={named}
        show={measure.show}
        isStacked={isStacked}
        partial={partialOf(times, bucket, { from, to })}
        onPick={pick}
        onSpan={(first, last) => set(spanOf(times, bucket, first, last))}
      />
      <Legend
        of={named.map(({ name, tone, of }) => ({
          name,
          tone,
          text: show(measure.of(of.total)),
          note: before && of.name !== undefined ? sayBefore(spendOf(before, of.name)) : undefined,
          href: by && of.name ? lead(params, { from, to, bucket, by, name: of.name }) : undefined,
        }))}
      />
      {measure === MEASURES.spend && children}
      <h2>The same as a table</h2>
      <div class="acts">
        <Download act={sheet} rows={times.length} />
      </div>
      <UsageTable
        {...{ times, series: named, range: { from, to }, bucket, params, lead, show }}
        isMoney={measure === MEASURES.spend}
        by={by}
        totalOf={measure.of}
      />
    </>
  );
}

const sayBefore = (spend: number | undefined): string | undefined =>
  spend === undefined ? undefined : `before: ${MEASURES.spend.show(spend)}`;

/** Whether a sum has refused requests, which its series do not have. */
const isOutside = ({ total: { refused = 0, ...rest }, series }: Series, { of }: Measure): boolean =>
  refused > 0 &&
  of({ ...rest, refused }) !== of(rest) &&
  series.every(({ total }) => total.refused === undefined);

const Highest = ({ at, bucket, href }: { at: string; bucket: Bucket; href: string }) => (
  <>
    {" "}
    Highest {bucket}: <a href={href}>{shownLabel(at, bucket)}</a>.
  </>
);

function Download({ act, rows }: { act: () => Promise<void>; rows: number }) {
  const error = useSignal<unknown>(undefined);
  const start = (): void => {
    error.value = undefined;
    act().catch((failure: unknown) => {
      error.value = failure;
    });
  };
  return (
    <>
      <button type="button" onClick={start}>
        Download {rows} {rows === 1 ? "row" : "rows"} as CSV
      </button>
      {error.value !== undefined && <Failed error={error.value} />}
    </>
  );
}
