import type { ComponentChildren } from "preact";
import { amountIn, decimalsOf } from "../amounts.ts";
import { wholeUsd } from "../format.ts";

/** The column of what can be done with a row; it stays in sight where a table is wider than the page. */
export const ACTIONS = "Actions";

interface ColumnBase<Row> {
  title: string;
  /** Numbers stand at the right. */
  isNumber?: boolean | undefined;
  /** Where the row leads, if anywhere; the first column with one makes the row open by Enter. */
  href?: (row: Row) => string | undefined;
  /** When the column is left out as the table gets narrow: 1 goes first. Without it, the column stays. */
  drops?: 1 | 2 | 3 | undefined;
  /**
   * Its place where rows are cards: in the first line, at its start (`lead`: by default the first column) or its end
   * (`side`); below, with its title (the default) or without it (`bare`); or nowhere (`off`: by default what drops).
   */
  card?: "lead" | "side" | "bare" | "off";
  /** The name by which the list can be sorted by this column, the greatest first. */
  sort?: string;
}

/** A column of anything, or of amounts in US dollars, which have their decimals in common. */
export type Column<Row> = ColumnBase<Row> &
  ({ cell: (row: Row) => ComponentChildren } | { amount: (row: Row) => number | undefined });

/** A column as it is drawn. */
export interface Drawn<Row> extends ColumnBase<Row> {
  cell: (row: Row) => ComponentChildren;
  /** The whole of what is shown in short. */
  hint?: (row: Row) => string | undefined;
  class: string;
}

const classOf = <Row>({ title, isNumber = false, drops, card }: Column<Row>, isFirst: boolean): string => {
  const isActs = title === ACTIONS;
  const place = card ?? (isActs ? "side" : isFirst ? "lead" : drops === undefined ? undefined : "off");
  return [isActs ? "does" : isNumber ? "number" : "", drops && `drops-${drops}`, place]
    .filter(Boolean)
    .join(" ");
};

/** Columns with all that depends on their rows. */
export const drawn = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Drawn<Row>[] => {
  const hasLead = columns.some(({ card }) => card === "lead");
  return columns.map((column, at) => {
    const isFirst = at === 0 && !hasLead;
    if ("cell" in column) return { ...column, class: classOf(column, isFirst) };
    const { amount } = column;
    const decimals = decimalsOf(rows.map(amount));
    return {
      ...column,
      class: classOf({ ...column, isNumber: true }, isFirst),
      cell: (row) => amountIn(amount(row), decimals),
      hint: (row) => {
        const value = amount(row);
        return value === undefined ? undefined : wholeUsd(value);
      },
    };
  });
};
