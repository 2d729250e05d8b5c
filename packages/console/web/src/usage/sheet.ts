import type { Measure, Series } from "./measures.ts";
import { namesOf } from "./measures.ts";
import { bucketsOf, daysOf } from "./time.ts";

/** A text that a spreadsheet would take for a formula is marked as text. */
const cell = (value: string | number): string => {
  const text = typeof value === "number" ? String(value) : value.replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Rows as comma-separated values. */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

/**
 * One measure of all series by time. Where nothing happened, a sum is 0 and a share or a duration is left out; series
 * beyond those that are listed are one column, whose name counts them.
 */
export function usageSheet({ from, to, bucket, by, series }: Series, { of, rank }: Measure): string {
  const columns = series.map(({ points }) => new Map(points.map((point) => [point.at, of(point)])));
  return toCsv([
    [bucket, ...namesOf(series, by)],
    ...bucketsOf(from, to, bucket).map((at) => [
      at,
      ...columns.map((column) => column.get(at) ?? (rank ? "" : 0)),
    ]),
  ]);
}

/** A file's name that says what it contains: the measure, the split, the filters, the first and the last day. */
export function sheetName(
  measure: string,
  { from, to, by }: Pick<Series, "from" | "to" | "by">,
  filters: object,
): string {
  const days = daysOf({ from, to });
  const parts = [
    "usage",
    measure,
    ...(by ? [`by-${by}`] : []),
    ...Object.entries(filters).map(([name, value]) => `${name}-${value}`),
    `from-${days.from}`,
    `to-${days.to}`,
  ];
  return `${parts.join("_").replaceAll(/[^\w.-]+/g, "-")}.csv`;
}

/** Has the browser keep a text as a file. */
export function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
