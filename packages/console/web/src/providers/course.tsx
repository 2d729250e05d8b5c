import type { Answer } from "../api/client.ts";
import { compact, count, counted, duration, usd } from "../format.ts";
import { Chart, Legend } from "../ui/chart.tsx";
import { Figures } from "../ui/figures.tsx";
import { Section } from "../ui/section.tsx";
import { Table } from "../ui/table.tsx";
import { shownLabel } from "../usage/label.ts";
import { partialOf } from "../usage/partial.ts";
import { bucketsOf, spanOf } from "../usage/time.ts";
import { Circuits, Errors } from "./cells.tsx";
import { comparedInWords, isSlow, some, times } from "./words.ts";

type Detail = Answer<"/api/admin/providers/{providerId}">;

interface CourseProps {
  of: Detail;
  /** The range, as a sentence has it. */
  when: string;
  set: (change: Record<string, string | undefined>) => void;
}

/** How a provider did over a range: in figures, over time, and model by model, beside the others of the same models. */
export function Course({ of: one, when, set }: CourseProps) {
  const { compared } = one;
  return (
    <>
      <p class="answers">
        {compared
          ? `${when[0]?.toUpperCase()}${when.slice(1)}: ${comparedInWords(compared)}.`
          : one.requests === 0
            ? `It served no request ${when}.`
            : `No other provider served one of its models often enough ${when} to be compared.`}
      </p>
      <Figures
        of={[
          { name: "Requests", value: compact(one.requests), note: counted(one.calls, "call") },
          { name: "Errors", value: <Errors of={one} />, note: counted(one.failedCalls, "failed call") },
          {
            name: "First token, median",
            value: duration(one.p50FirstMs),
            note: `p95 ${duration(one.p95FirstMs)}`,
          },
          { name: "Duration, median", value: duration(one.p50Ms), note: `p95 ${duration(one.p95Ms)}` },
          { name: "Spend", value: usd(one.usdCost) },
          { name: "Circuits", value: <Circuits of={one.circuits} />, note: "in this process" },
        ]}
      />
      {one.points.length > 0 && <Times of={one} set={set} />}
      {one.models.length > 0 && <Models of={one.models} />}
    </>
  );
}

/** The time to the first token beside that of others, and the calls that failed. */
function Times({ of: one, set }: Pick<CourseProps, "of" | "set">) {
  const { from, to, bucket, points } = one;
  const moments = bucketsOf(from, to, bucket);
  const known = new Map(points.map((point) => [point.at, point]));
  const valuesOf = (value: (point: Detail["points"][number]) => number | undefined) =>
    moments.map((at) => {
      const point = known.get(at);
      return point && value(point);
    });
  const shared = {
    times: moments.map((at) => shownLabel(at, bucket)),
    partial: partialOf(moments, bucket, { from, to }),
    onSpan: (first: number, last: number) => set(spanOf(moments, bucket, first, last)),
  };
  const others = one.compared?.others;
  const latencies = [
    {
      ...{ name: one.id, tone: "s0", whole: one.p50FirstMs },
      values: valuesOf(({ p50FirstMs }) => p50FirstMs),
    },
    {
      ...{ name: "others", tone: "s1", whole: others?.p50FirstMs },
      values: valuesOf(({ others }) => others?.p50FirstMs),
    },
    {
      ...{ name: `${one.id}, p95`, tone: "s2", whole: one.p95FirstMs },
      values: valuesOf(({ p95FirstMs }) => p95FirstMs),
    },
    {
      ...{ name: "others, p95", tone: "s3", whole: others?.p95FirstMs },
      values: valuesOf(({ others }) => others?.p95FirstMs),
    },
  ].filter(({ values }) => values.some((value) => value !== undefined));
  const calls = [
    {
      name: "answered",
      tone: "outcome-succeeded",
      values: valuesOf(({ calls, failedCalls }) => calls - failedCalls),
    },
    { name: "failed", tone: "outcome-failed", values: valuesOf(({ failedCalls }) => failedCalls) },
  ];
  return (
    <>
      {latencies.length > 0 && (
        <Section
          title={`First token per ${bucket}`}
          about="Beside the others of the same models, in the same proportions."
        >
          <Chart
            label={`Time to the first token per ${bucket}, beside others`}
            series={latencies}
            show={duration}
            isStacked={false}
            {...shared}
          />
          <Legend of={latencies.map(({ name, tone, whole }) => ({ name, tone, text: duration(whole) }))} />
        </Section>
      )}
      <Section title={`Calls per ${bucket}`}>
        <Chart label={`Calls per ${bucket}, by outcome`} series={calls} show={count} isStacked {...shared} />
        <Legend
          of={calls.map(({ name, tone, values }) => ({
            name,
            tone,
            text: count(values.reduce<number>((sum, value) => sum + (value ?? 0), 0)),
          }))}
        />
      </Section>
    </>
  );
}

const Models = ({ of: models }: { of: Detail["models"] }) => (
  <Section title="Models">
    <Table
      caption="Models"
      rows={models}
      keyOf={({ model }) => model}
      columns={[
        { title: "Model", cell: ({ model }) => model },
        { title: "Requests", isNumber: true, cell: ({ requests }) => count(requests), card: "side" },
        { title: "Errors", isNumber: true, cell: (one) => <Errors of={one} /> },
        { title: "First token, median", isNumber: true, cell: ({ p50FirstMs }) => duration(p50FirstMs) },
        { title: "p95", isNumber: true, cell: ({ p95FirstMs }) => duration(p95FirstMs), drops: 2 },
        {
          title: "Others, median",
          isNumber: true,
          cell: ({ others, providers = [] }) =>
            others ? <span title={some(providers)}>{duration(others.p50FirstMs)}</span> : "–",
          drops: 2,
        },
        {
          title: "Beside others",
          isNumber: true,
          cell: ({ ratio, requests }) =>
            ratio === undefined ? (
              "–"
            ) : (
              <span class={isSlow({ ratio, requests }) ? "warn" : ""}>{times(ratio)}</span>
            ),
        },
        { title: "Spend", amount: ({ usdCost }) => usdCost },
      ]}
    />
  </Section>
);
