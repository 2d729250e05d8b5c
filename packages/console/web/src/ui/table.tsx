import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { count } from "../format.ts";
import { AT_ONCE } from "./at-once.ts";
import { ACTIONS, type Column, type Drawn, drawn } from "./column.tsx";
import { ColumnChooser, shownColumns } from "./column-chooser.tsx";
import { walkRows } from "./walk.ts";

interface Sorting {
  by: string | undefined;
  set: (by: string | undefined) => void;
}

interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The column by which the list is sorted, if any, and what sorts it otherwise. */
  sorting?: Sorting;
  /** A click anywhere in a row, beside its links. */
  onRow?: (row: Row) => void;
  /** The row that is open beside the table. */
  opened?: string | undefined;
  /** The table of the screen: `j` and `k` walk through it from wherever the focus is. */
  isMain?: boolean;
  /** It has little to say, and is not drawn out over the page. */
  isSmall?: boolean;
  /** Readers choose its columns, and the browser keeps the choice by this name. */
  choosable?: string;
}

/** Marks the edges of a table beyond which there is more of it. */
function useEdges() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const mark = (): void => {
      const rest = current.scrollWidth - current.clientWidth - current.scrollLeft;
      current.classList.toggle("more-before", current.scrollLeft > 1);
      current.classList.toggle("more-after", rest > 1);
    };
    const watch = new ResizeObserver(mark);
    watch.observe(current);
    if (current.firstElementChild) watch.observe(current.firstElementChild);
    current.addEventListener("scroll", mark, { passive: true });
    return () => {
      watch.disconnect();
      current.removeEventListener("scroll", mark);
    };
  }, []);
  return box;
}

/**
 * A table that `j` and `k` walk through. Where it is narrow, columns drop by priority, and rows become cards last.
 * Amounts of one column have their decimals in common.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, keyOf, sorting, onRow, opened, isMain = false } = props;
  const { isSmall = false, choosable } = props;
  const most = useSignal(AT_ONCE);
  const rows = props.rows.slice(0, most.value);
  const left = props.rows.length - rows.length;
  const columns = drawn(shownColumns(choosable, props.columns), rows);
  const box = useEdges();
  const body = useRef<HTMLTableSectionElement>(null);
  // Where no cell can have the focus, the table itself has it: a wide one is moved by the arrow keys.
  const isPlain = !columns.some(
    ({ href, title }) => title === ACTIONS || rows.some((row) => href?.(row) !== undefined),
  );
  // Reading goes on with the first row that was added.
  const added = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (added.current === undefined) return;
    const row = body.current?.rows[added.current];
    (row?.querySelector<HTMLElement>("a, button") ?? box.current)?.focus();
    added.current = undefined;
  }, [most.value]);
  const walk = (event: KeyboardEvent): void => walkRows(event, [...(body.current?.rows ?? [])]);
  useEffect(() => {
    if (!isMain) return;
    document.addEventListener("keydown", walk);
    return () => document.removeEventListener("keydown", walk);
  });
  const table = (
    <div
      ref={box}
      class={`table${isSmall ? " small" : ""}${columns.length >= MANY ? " many" : ""}`}
      {...(!isMain && { onKeyDown: walk })}
      {...(isPlain && { tabIndex: 0, role: "group", "aria-label": caption })}
    >
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.title} of={column} {...(sorting && { sorting })} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              data-id={keyOf(row)}
              {...(opened === keyOf(row) && { "aria-current": true })}
              {...(onRow && {
                class: "opens",
                onClick: ({ target }: MouseEvent) => {
                  if (!(target as Element).closest("a, button")) onRow(row);
                },
              })}
            >
              {columns.map((column) => (
                <Cell key={column.title} of={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
  return (
    <>
      {choosable !== undefined && (
        <ColumnChooser table={choosable} titles={props.columns.slice(1).map(({ title }) => title)} />
      )}
      {table}
      {left > 0 && (
        <p class="acts">
          <button
            type="button"
            onClick={() => {
              added.current = most.value;
              most.value += AT_ONCE;
            }}
          >
            {`Show ${count(Math.min(left, AT_ONCE))} more of ${count(props.rows.length)}`}
          </button>
        </p>
      )}
    </>
  );
}

function Heading<Row>({ of: column, sorting }: { of: Drawn<Row>; sorting?: Sorting }) {
  const { title, sort } = column;
  const isSorted = sort !== undefined && sorting?.by === sort;
  return (
    <th scope="col" class={column.class} {...(isSorted && { "aria-sort": "descending" as const })}>
      {sort === undefined || !sorting ? (
        <span class={title === ACTIONS ? "hidden" : undefined}>{title}</span>
      ) : (
        <button type="button" class="sort" onClick={() => sorting.set(isSorted ? undefined : sort)}>
          {title}
        </button>
      )}
    </th>
  );
}

/** From so many columns on, those of the second priority drop sooner. */
const MANY = 9;

/** What a cell shows where there is nothing; cards leave it out. */
const NONE = "–";

function Cell<Row>({ of: { title, cell, href, hint, class: name }, row }: { of: Drawn<Row>; row: Row }) {
  const target = href?.(row);
  const content = cell(row);
  return (
    <td data-label={title} class={content === NONE ? `${name} none` : name} title={hint?.(row)}>
      {target === undefined ? content : <a href={target}>{content}</a>}
    </td>
  );
}
