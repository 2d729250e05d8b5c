import { effect, signal } from "@preact/signals";
import { MultiSelect } from "./select.tsx";

const KEY = "manifold-columns";

const kept = (): Record<string, string[]> => {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, string[]>;
  } catch {
    return {};
  }
};

/** The columns that a reader has put away, by table. */
const hidden = signal(kept());

effect(() => localStorage.setItem(KEY, JSON.stringify(hidden.value)));

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
        onChange={(chosen) => {
          hidden.value = { ...hidden.value, [table]: titles.filter((title) => !chosen.includes(title)) };
        }}
      />
    </div>
  );
}
