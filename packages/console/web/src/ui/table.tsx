import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

/** The column of what can be done with a row; it stays in sight where a table is wider than the page. */
const ACTIONS = "Actions";
const classOf = (title: string, isNumber = false): string =>
  title === ACTIONS ? "does" : isNumber ? "number" : "";

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the right. */
  isNumber?: boolean;
  /** Where the row leads, if anywhere; the first column with one makes the row open by Enter. */
  href?: (row: Row) => string | undefined;
}

interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** A table that `j` and `k` walk through, and that becomes a list of cards where the screen is narrow. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  // Where no cell can have the focus, the table itself has it: a wide one is moved by the arrow keys.
  const isPlain = !columns.some(
    ({ href, title }) => title === ACTIONS || rows.some((row) => href?.(row) !== undefined),
  );
  const walk = (event: KeyboardEvent): void => {
    const step = { j: 1, k: -1 }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.matches("input, select, textarea")) return;
    const all = [...(body.current?.rows ?? [])];
    const at = all.findIndex((row) => row.contains(target));
    all[at + step]?.querySelector<HTMLElement>("a, button")?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys walk between the links of the rows
    <div
      class="table"
      onKeyDown={walk}
      {...(isPlain && { tabIndex: 0, role: "group", "aria-label": caption })}
    >
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={classOf(title, isNumber)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber, href }) => {
                const target = href?.(row);
                return (
                  <td key={title} data-label={title} class={classOf(title, isNumber)}>
                    {target === undefined ? cell(row) : <a href={target}>{cell(row)}</a>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
