import { boxAt, versionOf } from "../boxes.ts";
import { unreadable } from "../probe-error.ts";
import type { View } from "../view.ts";

/** A piece of a track's presentation. */
export interface Edit {
  /** In ticks of the movie. */
  ticks: number;
  /** Where in the track it begins, in ticks of the track; undefined for an empty edit. */
  from?: number;
}

const NOTHING = 0xffffffff;

/** Edits that a track may have; a recording has one or two. */
const EDITS = 1000;

/** The edit list of a track; empty where it has none. */
export function readEdits(track: View): Edit[] {
  const list = boxAt(track, "edts", "elst");
  if (!list) return [];
  const wide = versionOf(list) === 1;
  const step = wide ? 20 : 12;
  const count = list.u32(4);
  if (count > EDITS) throw unreadable(`a track in it has ${count} edits; at most ${EDITS} are read`);
  const entries = list.slice(8, count * step);
  return Array.from({ length: count }, (_, index) => {
    const at = index * step;
    if (wide) {
      const empty = entries.u32(at + 8) === NOTHING && entries.u32(at + 12) === NOTHING;
      return { ticks: entries.u64(at), from: empty ? undefined : entries.u64(at + 8) };
    }
    const from = entries.u32(at + 4);
    return { ticks: entries.u32(at), from: from === NOTHING ? undefined : from };
  });
}
