import type { Call } from "./call.ts";

type Row = Readonly<Record<string, unknown>>;

/** Checks whether to print JSON: on request, or if the output is not a terminal. */
const isForPrograms = ({ options, isTerminal }: Call): boolean => options.json === true || !isTerminal;

/** Prints one object: as JSON on a line, or on a terminal as a list of its fields. */
export function show(call: Call, value: Row): void {
  const lines = isForPrograms(call)
    ? [JSON.stringify(value)]
    : alignRows(Object.entries(value).map(([name, field]) => [name, cellOf(field)]));
  for (const line of lines) call.print(line);
}

/** The number of rows from which a table's column widths are computed. */
const BATCH = 100;

/**
 * Prints objects of one kind: each as JSON on a line, or on a terminal a table of these fields. `none` is what a terminal
 * shows without any; by default the head of the table.
 */
export async function showAll(
  call: Call,
  columns: readonly string[],
  rows: AsyncIterable<Row> | Iterable<Row>,
  none?: string,
): Promise<void> {
  let cells: string[][] = [columns.map(titleOf)];
  const flush = (): void => {
    for (const line of alignRows(cells)) call.print(line);
    cells = [];
  };
  let isEmpty = true;
  for await (const row of rows) {
    isEmpty = false;
    if (isForPrograms(call)) call.print(JSON.stringify(row));
    else if (cells.push(columns.map((name) => cellOf(row[name]))) > BATCH) flush();
  }
  if (isForPrograms(call)) return;
  if (isEmpty && none !== undefined) call.print(none);
  else flush();
}

/** Formats rows as lines with aligned columns. */
export function alignRows(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** `creditBalance` as a heading: CREDIT BALANCE. */
const titleOf = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toUpperCase();

/** Replaces control characters, so that a text cannot control a terminal. */
const withoutControls = (text: string): string => text.replace(/\p{Cc}/gu, " ");

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(cellOf).join(",") || "-";
  if (typeof value === "object")
    return (
      Object.entries(value)
        .map(([name, inside]) => `${name}=${cellOf(inside)}`)
        .join(" ") || "-"
    );
  return withoutControls(String(value));
}
