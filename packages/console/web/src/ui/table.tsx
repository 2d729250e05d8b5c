import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** The column of what can be done with a row; it stays in sight where a table is wider than the page. */
const ACTIONS = "Actions";
const classOf = ({ title, isNumber = false, drops }: Pick<Column<never>, "title" | "isNumber" | "drops">) =>
  `${title === ACTIONS ? "does" : isNumber ? "number" : ""} ${drops ?? ""}`.trim();

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the right. */
  isNumber?: boolean | undefined;
  /** Where the row leads, if anywhere; the first column with one makes the row open by Enter. */
  href?: (row: Row) => string | undefined;
  /** The column is left out where the page is narrow, or already where it is not wide. */
  drops?: "extra" | "spare" | undefined;
  /** The name by which the list can be sorted by this column, the greatest first. */
  sort?: string;
}

interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The column by which the list is sorted, if any, and what sorts it otherwise. */
  sorting?: { by: string | undefined; set: (by: string | undefined) => void };
  /** A click anywhere in a row, beside its links. */
  onRow?: (row: Row) => void;
  /** The row that is open beside the table. */
  opened?: string | undefined;
  /** The table of the screen: `j` and `k` walk through it from wherever the focus is. */
  isMain?: boolean;
}

/** A table that `j` and `k` walk through, and that becomes a list of cards where the screen is narrow. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, sorting, onRow, opened, isMain = false } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  // Where no cell can have the focus, the table itself has it: a wide one is moved by the arrow keys.
  const isPlain = !columns.some(
    ({ href, title }) => title === ACTIONS || rows.some((row) => href?.(row) !== undefined),
  );
  const walk = (event: KeyboardEvent): void => {
    const step = { j: 1, k: -1 }[event.key];
    if (step === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const target = event.target as HTMLElement;
    if (target.matches("input, select, textarea") || document.querySelector("dialog[open]")) return;
    const all = [...(body.current?.rows ?? [])];
    const at = all.findIndex((row) => row.contains(target) || row.ariaCurrent === "true");
    const next = all[at < 0 ? 0 : at + step];
    next?.querySelector<HTMLElement>("a, button")?.focus();
    // What is open beside the table goes along.
    if (next && at >= 0 && all[at]?.ariaCurrent === "true") next.click();
  };
  useEffect(() => {
    if (!isMain) return;
    document.addEventListener("keydown", walk);
    return () => document.removeEventListener("keydown", walk);
  });
  return (
    <div
      class="table"
      {...(!isMain && { onKeyDown: walk })}
      {...(isPlain && { tabIndex: 0, role: "group", "aria-label": caption })}
    >
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber, drops, sort }) => (
              <th
                key={title}
                scope="col"
                class={classOf({ title, isNumber, drops })}
                {...(sort !== undefined && sorting?.by === sort && { "aria-sort": "descending" as const })}
              >
                {sort === undefined || !sorting ? (
                  title
                ) : (
                  <button
                    type="button"
                    class="sort"
                    onClick={() => sorting.set(sorting.by === sort ? undefined : sort)}
                  >
                    {title}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              {...(opened === keyOf(row) && { "aria-current": true })}
              {...(onRow && {
                class: "opens",
                onClick: ({ target }: MouseEvent) => {
                  if (!(target as Element).closest("a, button")) onRow(row);
                },
              })}
            >
              {columns.map(({ title, cell, isNumber, drops, href }) => {
                const target = href?.(row);
                return (
                  <td key={title} data-label={title} class={classOf({ title, isNumber, drops })}>
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
