import { box } from "../boxes.ts";
import { truncated, unreadable } from "../stop.ts";
import type { View } from "../view.ts";

/** How many samples take how long together. */
export interface Times {
  samples: number;
  ticks: number;
}

function needed(table: View, type: string): View {
  const found = box(table, type);
  if (!found) throw unreadable(`a track in it lacks its table "${type}"`);
  return found;
}

/** Sums the run-length coded time table as it stands: a run of four billion samples costs what a run of one does. */
export function sumTimes(table: View): Times {
  const body = needed(table, "stts");
  const count = body.u32(4);
  const runs = body.slice(8, count * 8);
  const sum: Times = { samples: 0, ticks: 0 };
  for (let at = 0; at < runs.length; at += 8) {
    const samples = runs.u32(at);
    sum.samples += samples;
    sum.ticks += samples * runs.u32(at + 4);
  }
  return sum;
}

interface Sizes {
  count: number;
  at(index: number): number;
}

/** Sizes of the samples: one for all, or a table of 32 bits each, or in the compact form 4, 8 or 16. */
function sizesOf(table: View): Sizes {
  const compact = box(table, "stz2");
  if (compact) {
    const bits = compact.u8(7);
    const count = compact.u32(8);
    if (bits !== 4 && bits !== 8 && bits !== 16) throw unreadable(`its sample sizes have ${bits} bits`);
    const body = compact.slice(12, Math.ceil((count * bits) / 8));
    const at = (index: number): number => {
      if (bits === 16) return body.u16(index * 2);
      if (bits === 8) return body.u8(index);
      return index % 2 === 0 ? body.u8(index >> 1) >> 4 : body.u8(index >> 1) & 15;
    };
    return { count, at };
  }
  const body = needed(table, "stsz");
  const all = body.u32(4);
  const count = body.u32(8);
  if (all > 0) return { count, at: () => all };
  const each = body.slice(12, count * 4);
  return { count, at: (index) => each.u32(index * 4) };
}

export const countSamples = (table: View): number => sizesOf(table).count;

/** Offsets of the chunks, of 32 or 64 bits. */
function chunksOf(table: View): Sizes {
  const wide = box(table, "co64");
  const body = wide ?? needed(table, "stco");
  const bytes = wide ? 8 : 4;
  const count = body.u32(4);
  const offsets = body.slice(8, count * bytes);
  return { count, at: (index) => (wide ? offsets.u64(index * 8) : offsets.u32(index * 4)) };
}

/** How many samples the last chunk has. */
function samplesInLast(table: View): number {
  const body = needed(table, "stsc");
  const count = body.u32(4);
  return body.slice(8, count * 12).u32((count - 1) * 12 + 4);
}

/**
 * Checks that the samples are in the file: every chunk begins there, and where samples can be measured they fit
 * and the last chunk ends there. Sound in old files is counted in units that are no bytes.
 */
export function checkPlaces(table: View, file: View, measured: boolean): void {
  const chunks = chunksOf(table);
  if (chunks.count === 0) throw unreadable("a track in it has samples and no place for them");
  let last = 0;
  for (let index = 0; index < chunks.count; index++) {
    last = chunks.at(index);
    if (last >= file.length) throw truncated(`samples are at byte ${last} of ${file.length}`);
  }
  if (!measured) return;
  const sizes = sizesOf(table);
  if (sizes.count > file.length)
    throw unreadable(`a track in it has ${sizes.count} samples in ${file.length} bytes`);
  let total = 0;
  for (let index = 0; index < sizes.count; index++) total += sizes.at(index);
  let end = last;
  for (let index = Math.max(0, sizes.count - samplesInLast(table)); index < sizes.count; index++)
    end += sizes.at(index);
  if (total > file.length || end > file.length)
    throw truncated(`its samples have ${total} bytes and end at byte ${end} of ${file.length}`);
}
