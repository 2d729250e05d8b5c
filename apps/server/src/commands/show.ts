import type { Call } from "./call.ts";

type Row = Readonly<Record<string, unknown>>;

/** Programs read JSON: those that ask for it, and those that a pipe leads to. */
const isForPrograms = ({ options, isTerminal }: Call): boolean => options.json === true || !isTerminal;

/** Prints one thing: a JSON object on a line, or on a terminal its fields below each other. */
export function show(call: Call, value: Row): void {
  const lines = isForPrograms(call)
    ? [JSON.stringify(value)]
    : alignRows(Object.entries(value).map(([name, field]) => [name, cellOf(field)]));
  for (const line of lines) call.print(line);
}

/** Rows that a table is laid out for before the first is printed. */
const BATCH = 100;

/** Prints things that are alike: a JSON object on a line each, or on a terminal a table of these fields. */
export async function showAll(
  call: Call,
  columns: readonly string[],
  rows: AsyncIterable<Row> | Iterable<Row>,
): Promise<void> {
  let cells: string[][] = [columns.map(titleOf)];
  const flush = (): void => {
    for (const line of alignRows(cells)) call.print(line);
    cells = [];
  };
  for await (const row of rows) {
    if (isForPrograms(call)) call.print(JSON.stringify(row));
    else if (cells.push(columns.map((name) => cellOf(row[name]))) > BATCH) flush();
  }
  if (!isForPrograms(call)) flush();
}

/** Lines in which the cells of a column begin below each other. */
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

/** What a name or a text cannot do to a terminal. */
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
