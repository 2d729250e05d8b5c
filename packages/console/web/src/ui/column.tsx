import type { ComponentChildren } from "preact";
import { amountIn, decimalsOf } from "../amounts.ts";
import { wholeUsd } from "../format.ts";
import { inZone } from "../state/zone.ts";
import { When } from "./parts.tsx";

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
   * (`side`); below, with its title (the default), without it (`bare`) or in a line of its own (`line`); or nowhere
   * (`off`: by default what drops).
   */
  card?: "lead" | "side" | "bare" | "line" | "off";
  /** The name by which the list can be sorted by this column, the greatest first. */
  sort?: string;
}

/**
 * A column of anything; of amounts in US dollars, which have their decimals in common; or of moments, in the zone that
 * is chosen and that its head says.
 */
export type Column<Row> = ColumnBase<Row> &
  (
    | { cell: (row: Row) => ComponentChildren }
    | { amount: (row: Row) => number | undefined }
    | { time: (row: Row) => string | undefined }
  );

/** A column as it is drawn. */
export interface Drawn<Row> extends ColumnBase<Row> {
  cell: (row: Row) => ComponentChildren;
  /** The whole of what is shown in short. */
  hint?: (row: Row) => string | undefined;
  class: string;
}

function classOf<Row>({ title, isNumber = false, drops, card }: Column<Row>, isFirst: boolean): string {
  const isActs = title === ACTIONS;
  const place = card ?? (isActs ? "side" : isFirst ? "lead" : drops === undefined ? undefined : "off");
  return [isActs ? "does" : isNumber ? "number" : "", drops && `drops-${drops}`, place]
    .filter(Boolean)
    .join(" ");
}

/** A column of moments: its head says the zone. */
function drawnTime<Row>({ title, time }: { title: string; time: (row: Row) => string | undefined }) {
  return {
    title: inZone(title),
    cell: (row: Row): ComponentChildren => {
      const at = time(row);
      return at === undefined ? "–" : <When at={at} />;
    },
  };
}

/** Columns with all that depends on their rows. */
export function drawn<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Drawn<Row>[] {
  const hasLead = columns.some(({ card }) => card === "lead");
  return columns.map((column, at) => {
    const isFirst = at === 0 && !hasLead;
    const name = classOf(column, isFirst);
    if ("cell" in column) return { ...column, class: name };
    if ("time" in column) return { ...column, ...drawnTime(column), class: name };
    const { amount } = column;
    const decimals = decimalsOf(rows.map(amount));
    return {
      ...column,
      class: classOf({ ...column, isNumber: true }, isFirst),
      // What is nothing steps back behind what is something.
      cell: (row) => {
        const text = amountIn(amount(row), decimals);
        return amount(row) === 0 ? <span class="faint">{text}</span> : text;
      },
      hint: (row) => {
        const value = amount(row);
        return value === undefined ? undefined : wholeUsd(value);
      },
    };
  });
}
