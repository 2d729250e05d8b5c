/** Keys in tables: `j` and `k` walk through the rows, `c` copies the id of the one that has the focus. */
import { noteDone } from "../state/note.ts";
import { copyText } from "./copy.ts";

/** What a key does in the rows of a table. */
export function walkRows(event: KeyboardEvent, rows: readonly HTMLTableRowElement[]): void {
  const { key, defaultPrevented, ctrlKey, metaKey, altKey } = event;
  if (defaultPrevented || ctrlKey || metaKey || altKey) return;
  const target = event.target as HTMLElement;
  if (target.matches("input, select, textarea")) return;
  if (document.querySelector("dialog[open], :popover-open")) return;
  const at = rows.findIndex((row) => row.contains(target) || row.ariaCurrent === "true");
  const { id } = rows[at]?.dataset ?? {};
  if (key === "c" && id !== undefined) void copyText(id, target).then(() => noteDone(`Copied ${id}`));
  const step = { j: 1, k: -1 }[key];
  if (step === undefined) return;
  const next = rows[at < 0 ? 0 : at + step];
  next?.querySelector<HTMLElement>("a, button")?.focus();
  // What is open beside the table goes along.
  if (next && at >= 0 && rows[at]?.ariaCurrent === "true") next.click();
}
