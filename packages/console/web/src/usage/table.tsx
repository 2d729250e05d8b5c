import { Table } from "../ui/table.tsx";
import { headOf, shownLabel } from "./label.ts";
import type { Lead } from "./link.ts";
import type { Series, Sums } from "./measures.ts";
import type { Bucket } from "./time.ts";

interface UsageTableProps {
  times: readonly string[];
  series: readonly { name: string; of: Series["series"][number]; values: readonly (number | undefined)[] }[];
  range: { from: string; to: string };
  bucket: Bucket;
  by: string | undefined;
  params: Record<string, string>;
  lead: Lead;
  show: (value: number | undefined) => string;
  /** The figures are US dollars. */
  isMoney: boolean;
  totalOf: (sums: Sums) => number | undefined;
}

/** The row of the sums. */
const ALL = "all";

/** A chart's figures, newest first; buckets without a request are left out. Every figure leads on. */
export function UsageTable({
  times,
  series,
  range,
  bucket,
  by,
  params,
  lead,
  show,
  isMoney,
  totalOf,
}: UsageTableProps) {
  const rows = [
    "",
    ...times.filter((_, at) => series.some(({ values }) => values[at] !== undefined)).reverse(),
  ];
  const places = new Map(times.map((time, at) => [time, at]));
  return (
    <Table
      caption="Usage"
      rows={rows}
      keyOf={(at) => at || ALL}
      columns={[
        {
          title: headOf(bucket),
          cell: (at) => (at === "" ? ALL : shownLabel(at, bucket)),
          href: (at) => lead(params, { ...range, bucket, ...(at !== "" && { at }) }),
        },
        ...series.map(({ name, of, values }) => {
          const valueAt = (at: string): number | undefined =>
            at === "" ? totalOf(of.total) : values[places.get(at) as number];
          const column = {
            title: name,
            isNumber: true,
            href: (at: string) =>
              at !== "" && by && of.name && valueAt(at) !== undefined
                ? lead(params, { ...range, at, bucket, by, name: of.name })
                : undefined,
          };
          return isMoney
            ? { ...column, amount: valueAt }
            : { ...column, cell: (at: string) => show(valueAt(at)) };
        }),
      ]}
    />
  );
}
