import { box } from "../boxes.ts";
import { truncated, unreadable } from "../probe-error.ts";
import type { View } from "../view.ts";

/** The number of samples in a row, and the time they take together. */
export interface Times {
  samples: number;
  ticks: number;
}

function requiredBox(table: View, type: string): View {
  const found = box(table, type);
  if (!found) throw unreadable(`a track in it lacks its table "${type}"`);
  return found;
}

/** Sums the run-length coded time table as it stands: a run of four billion samples costs what a run of one does. */
export function sumTimes(table: View): Times {
  const body = requiredBox(table, "stts");
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
  /** Bytes of the samples from an index on. A size that all share is multiplied, not added up. */
  from(index: number): number;
}

/** The sizes of a table, by a reader of one of them. */
function sizesBy(count: number, at: (index: number) => number): Sizes {
  return {
    count,
    from(index) {
      let sum = 0;
      for (let each = index; each < count; each++) sum += at(each);
      return sum;
    },
  };
}

/** Sizes of the samples: one for all, or a table of 32 bits each, or in the compact form 4, 8 or 16. */
function sizesOf(table: View): Sizes {
  const compact = box(table, "stz2");
  if (compact) {
    const bits = compact.u8(7);
    const count = compact.u32(8);
    if (bits !== 4 && bits !== 8 && bits !== 16) throw unreadable(`its sample sizes have ${bits} bits`);
    const body = compact.slice(12, Math.ceil((count * bits) / 8));
    return sizesBy(count, (index) => {
      if (bits === 16) return body.u16(index * 2);
      if (bits === 8) return body.u8(index);
      return index % 2 === 0 ? body.u8(index >> 1) >> 4 : body.u8(index >> 1) & 15;
    });
  }
  const body = requiredBox(table, "stsz");
  const shared = body.u32(4);
  const count = body.u32(8);
  if (shared > 0) return { count, from: (index) => shared * (count - index) };
  const each = body.slice(12, count * 4);
  return sizesBy(count, (index) => each.u32(index * 4));
}

export const countSamples = (table: View): number => sizesOf(table).count;

/** Where the last chunk begins, after a look at all of them: each has to begin in the file. */
function lastChunk(table: View, file: View): number {
  const wide = box(table, "co64");
  const body = wide ?? requiredBox(table, "stco");
  const bytes = wide ? 8 : 4;
  const offsets = body.slice(8, body.u32(4) * bytes);
  if (offsets.length === 0) throw unreadable("a track in it has samples and no place for them");
  let last = 0;
  for (let at = 0; at < offsets.length; at += bytes) {
    last = wide ? offsets.u64(at) : offsets.u32(at);
    if (last >= file.length) throw truncated(`samples are at byte ${last} of ${file.length}`);
  }
  return last;
}

/** Counts the samples of the last chunk. */
function samplesInLast(table: View): number {
  const body = requiredBox(table, "stsc");
  const count = body.u32(4);
  return body.slice(8, count * 12).u32((count - 1) * 12 + 4);
}

/**
 * Checks that the samples are in the file: every chunk begins there, and where samples can be measured they fit
 * and the last chunk ends there. Sound in old files is counted in units other than bytes.
 */
export function checkSampleLocations(table: View, file: View, measured: boolean): void {
  const last = lastChunk(table, file);
  if (!measured) return;
  const sizes = sizesOf(table);
  if (sizes.count > file.length)
    throw unreadable(`a track in it has ${sizes.count} samples in ${file.length} bytes`);
  const total = sizes.from(0);
  const end = last + sizes.from(Math.max(0, sizes.count - samplesInLast(table)));
  if (total > file.length || end > file.length)
    throw truncated(`its samples have ${total} bytes and end at byte ${end} of ${file.length}`);
}
