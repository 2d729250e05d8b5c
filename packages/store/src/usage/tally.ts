import { prepareSums } from "../engine/bulk-statements.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { ADDED, addEntry, type Entry, KEY, PACE_COLUMNS, type Rows } from "./sums.ts";
import { prepareTagTally } from "./tag-tally.ts";

/** The work of adding ends to their hourly sums, in the same commit that writes the ends. */
export function prepareTally(engine: Engine): (entries: readonly Entry[]) => Work<void> {
  const add = prepareSums(engine, "hourly_sums", KEY, ADDED, PACE_COLUMNS);
  const addTagged = prepareTagTally(engine);
  return function* (entries) {
    const rows: Rows = new Map();
    const tagged: Entry[] = [];
    for (const entry of entries) {
      addEntry(rows, entry);
      if (entry.tags !== null) tagged.push(entry);
    }
    yield* add([...rows.values()]);
    if (tagged.length > 0) yield* addTagged(tagged);
  };
}
