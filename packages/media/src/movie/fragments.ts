import { box, boxes, flagsOf } from "../boxes.ts";
import { truncated, unreadable } from "../probe-error.ts";
import type { View } from "../view.ts";
import type { Track } from "./track.ts";

/** The properties of a track's samples where a fragment does not give them. */
interface Defaults {
  ticks: number;
  bytes: number;
}

/** The defaults of the index, by track id. */
function defaultsOf(index: View): Map<number, Defaults> {
  const defaults = new Map<number, Defaults>();
  for (const one of boxes(index)) {
    if (one.type !== "mvex") continue;
    for (const { type, body } of boxes(one.body))
      if (type === "trex") defaults.set(body.u32(4), { ticks: body.u32(12), bytes: body.u32(16) });
  }
  return defaults;
}

interface Head {
  id: number;
  defaults: Defaults;
  /** The offset that the runs are relative to; undefined where it depends on other tracks. */
  base?: number;
}

/** The head of a track's fragment. Its optional fields stand one after the other, as the flags say. */
function readHead(body: View, defaults: Map<number, Defaults>, base: number | undefined): Head {
  const flags = flagsOf(body);
  const id = body.u32(4);
  let at = 8;
  const head: Head = { id, defaults: { ...(defaults.get(id) ?? { ticks: 0, bytes: 0 }) }, base };
  if (flags & 0x1) {
    head.base = body.u64(at);
    at += 8;
  }
  if (flags & 0x2) at += 4;
  if (flags & 0x8) {
    head.defaults.ticks = body.u32(at);
    at += 4;
  }
  if (flags & 0x10) head.defaults.bytes = body.u32(at);
  return head;
}

interface Run {
  samples: number;
  ticks: number;
  bytes: number;
  /** The offset of the data from the base of the fragment. */
  offset?: number;
}

/** A run of samples: reads and sums the fields that it has; the defaults stand for the others. */
function readRun(body: View, defaults: Defaults): Run {
  const flags = flagsOf(body);
  const samples = body.u32(4);
  const start = 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
  const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag);
  const table = body.slice(start, samples * fields.length * 4);
  const sum = (flag: number, each: number): number => {
    const field = fields.indexOf(flag);
    if (field < 0) return samples * each;
    let total = 0;
    for (let at = field * 4; at < table.length; at += fields.length * 4) total += table.u32(at);
    return total;
  };
  return {
    samples,
    ticks: sum(0x100, defaults.ticks),
    bytes: sum(0x200, defaults.bytes),
    offset: flags & 0x1 ? body.i32(8) : undefined,
  };
}

/** Adds the samples of all fragments to their tracks. */
export function addFragments(file: View, index: View, tracks: Track[]): void {
  const known = defaultsOf(index);
  for (const fragment of boxes(file)) {
    if (fragment.type !== "moof") continue;
    let base: number | undefined = fragment.at;
    for (const { type, body } of boxes(fragment.body)) {
      if (type !== "traf") continue;
      const first = box(body, "tfhd");
      if (!first) throw unreadable("a fragment in it has no head");
      const head = readHead(first, known, flagsOf(first) & 0x20000 ? fragment.at : base);
      base = undefined;
      const track = tracks.find(({ id }) => id === head.id);
      if (!track) continue;
      for (const part of boxes(body)) if (part.type === "trun") addRun(file, track, head, part.body);
    }
  }
}

function addRun(file: View, track: Track, head: Head, body: View): void {
  const run = readRun(body, head.defaults);
  track.samples += run.samples;
  track.ticks += run.ticks;
  const end = (head.base ?? 0) + (run.offset ?? 0) + run.bytes;
  if (end > file.length) throw truncated(`samples end at byte ${end} of ${file.length}`);
  if (track.samples > file.length)
    throw unreadable(`a track in it has ${track.samples} samples in ${file.length} bytes`);
}
