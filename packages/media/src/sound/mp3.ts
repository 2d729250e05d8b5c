import type { Format } from "../format.ts";
import { unreadable } from "../probe-error.ts";
import type { View } from "../view.ts";
import { type Frame, frameAt, isIndex } from "./frame.ts";
import { leadingTags, trailingTag } from "./tags.ts";

/** The most bytes between the tags and the first frame: encoders leave padding there. */
const LEAD = 65_536;

/** Two headers that begin a stream, the second where the first one ends. Lone headers occur in any data. */
function isStream(file: View, at: number): boolean {
  const first = frameAt(file, at);
  if (!first) return false;
  const second = frameAt(file, at + first.bytes);
  return second !== undefined && second.rate === first.rate && second.samples === first.samples;
}

/** Finds the next place, from an offset on, where frames begin. */
function nextStream(file: View, from: number, until: number): number | undefined {
  for (let at = file.find(0xff, from); at !== undefined && at < until; at = file.find(0xff, at + 1))
    if (isStream(file, at)) return at;
  return undefined;
}

/**
 * Counts every frame: a rate that varies, a missing index or one with forged numbers change nothing. A cut file
 * reads as a shorter one, because nothing in it gives its full length.
 */
export const mp3: Format = {
  is: (file) => file.has("ID3") || isStream(file, 0),
  read(file) {
    const start = leadingTags(file);
    let at = nextStream(file, start, start + LEAD);
    if (at === undefined) throw unreadable("no MP3 frames follow its tags");
    // An index stands in a frame of its own, which decoders do not play.
    const first = frameAt(file, at) as Frame;
    if (isIndex(file, at, first)) at += first.bytes;
    const samples = new Map<number, number>();
    let [sound, junk] = [0, 0];
    while (at < file.length) {
      const frame: Frame | undefined = frameAt(file, at);
      if (frame && at + frame.bytes <= file.length) {
        samples.set(frame.rate, (samples.get(frame.rate) ?? 0) + frame.samples);
        sound += frame.bytes;
        at += frame.bytes;
        continue;
      }
      const tag = trailingTag(file, at);
      const next: number = tag ? at + tag : (nextStream(file, at + 1, file.length) ?? file.length);
      if (!tag && !frame) junk += Math.min(next, file.length) - at;
      at = next;
    }
    if (junk > sound) throw unreadable(`${junk} of its bytes are not MP3 frames, ${sound} are`);
    const seconds = [...samples].reduce((sum, [rate, count]) => sum + count / rate, 0);
    if (seconds === 0) throw unreadable("it is an MP3 without audio");
    return { kind: "audio", mediaType: "audio/mpeg", seconds };
  },
};
