import { Table } from "../ui/table.tsx";
import type { Lead } from "./link.ts";
import type { Series, Sums } from "./measures.ts";
import { type Bucket, label } from "./time.ts";

interface UsageTableProps {
  times: readonly string[];
  series: readonly { name: string; of: Series["series"][number]; values: readonly (number | undefined)[] }[];
  bucket: Bucket;
  by: string | undefined;
  params: Record<string, string>;
  lead: Lead;
  show: (value: number | undefined) => string;
  totalOf: (sums: Sums) => number | undefined;
}

/** A chart's figures, newest first; buckets without a request are left out. Every figure leads on. */
export function UsageTable({ times, series, bucket, by, params, lead, show, totalOf }: UsageTableProps) {
  const rows = [
    "",
    ...times.filter((_, at) => series.some(({ values }) => values[at] !== undefined)).reverse(),
  ];
  const places = new Map(times.map((time, at) => [time, at]));
  return (
    <Table
      caption="Usage"
      rows={rows}
      keyOf={(at) => at}
      columns={[
        {
          title: `${bucket[0]?.toUpperCase()}${bucket.slice(1)} (UTC)`,
          cell: (at) => (at === "" ? <b>all</b> : label(at, bucket)),
          href: (at) =>
            at === "" ? lead(params, { from: times[0] as string, bucket }) : lead(params, { at, bucket }),
        },
        ...series.map(({ name, of, values }) => ({
          title: name,
          isNumber: true,
          cell: (at: string) =>
            at === "" ? (
              <b>{show(totalOf(of.total))}</b>
            ) : by && of.name && values[places.get(at) as number] !== undefined ? (
              <a href={lead(params, { at, bucket, by, name: of.name })}>
                {show(values[places.get(at) as number])}
              </a>
            ) : (
              show(values[places.get(at) as number])
            ),
        })),
      ]}
    />
  );
}
