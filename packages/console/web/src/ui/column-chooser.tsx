import { stored } from "../state/stored.ts";
import { MultiSelect } from "./select.tsx";

/** The columns that a reader has put away, by table. */
const hidden = stored("manifold-columns", (value) =>
  Object.fromEntries(
    Object.entries(typeof value === "object" && value !== null ? value : {}).filter(
      (table): table is [string, string[]] => Array.isArray(table[1]),
    ),
  ),
);

/** The columns of a table that its reader wants to see; the first one always stays. */
export const shownColumns = <Column extends { title: string }>(
  table: string | undefined,
  columns: readonly Column[],
): readonly Column[] => {
  const away = (table !== undefined && hidden.value[table]) || [];
  return columns.filter(({ title }, at) => at === 0 || !away.includes(title));
};

/** Chooses the columns of a table; what is chosen is kept by the browser. */
export function ColumnChooser({ table, titles }: { table: string; titles: readonly string[] }) {
  const away = hidden.value[table] ?? [];
  const values = titles.filter((title) => !away.includes(title));
  return (
    <div class="choose-columns">
      <MultiSelect
        label="Columns"
        isInline
        summary={values.length === titles.length ? "all" : `${values.length} of ${titles.length}`}
        values={values}
        options={titles.map((title) => ({ value: title, text: title }))}
        onChange={(selection) => {
          hidden.value = { ...hidden.value, [table]: titles.filter((title) => !selection.includes(title)) };
        }}
      />
    </div>
  );
}
