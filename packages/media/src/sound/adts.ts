import type { Format } from "../format.ts";
import { unreadable } from "../probe-error.ts";
import type { View } from "../view.ts";
import { leadingTags, trailingTag } from "./tags.ts";

const RATES = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];
const SYNC = 0xfff;
/** Samples of a block, for each channel. */
const BLOCK = 1024;

interface Frame {
  bytes: number;
  samples: number;
  rate: number;
}

/** The frame whose header stands at an offset, if one does. */
function frameAt(file: View, at: number): Frame | undefined {
  if (at + 7 > file.length) return undefined;
  const header = file.u32(at);
  // The two bits of the layer are always 0, which tells these frames from MPEG audio.
  if (header >>> 20 !== SYNC || ((header >>> 17) & 3) !== 0) return undefined;
  const rate = RATES[(header >>> 10) & 15];
  const bytes = ((header & 3) << 11) | (file.u16(at + 4) >>> 5);
  if (rate === undefined || bytes < 7) return undefined;
  return { bytes, samples: ((file.u8(at + 6) & 3) + 1) * BLOCK, rate };
}

function isStream(file: View, at: number): boolean {
  const first = frameAt(file, at);
  if (!first) return false;
  const next = frameAt(file, at + first.bytes);
  return next === undefined ? at + first.bytes === file.length : next.rate === first.rate;
}

/** AAC in frames of its own. Every frame is counted, since no header gives the length. */
export const adts: Format = {
  is: (file) => isStream(file, 0) || (file.has("ID3") && isStream(file, leadingTags(file))),
  read(file) {
    let at = file.has("ID3") ? leadingTags(file) : 0;
    let seconds = 0;
    while (at < file.length) {
      const frame = frameAt(file, at);
      if (frame) {
        // The last frame may be cut, as files that were recorded live are.
        if (at + frame.bytes <= file.length) seconds += frame.samples / frame.rate;
        at += frame.bytes;
        continue;
      }
      const tag = trailingTag(file, at);
      if (tag === undefined) throw unreadable(`no AAC frame begins at byte ${at}`);
      at += tag;
    }
    if (seconds === 0) throw unreadable("it is an AAC file without audio");
    return { kind: "audio", mediaType: "audio/aac", seconds };
  },
};
