import type { Format } from "../format.ts";
import { truncated, unreadable, unsupported } from "../probe-error.ts";
import type { View } from "../view.ts";

/** Codings with one block for each moment: integers, floating point, and the two telephone laws. */
const PER_MOMENT = [1, 3, 6, 7];
/** Codings with many moments in a block, whose number the format says. */
const PER_BLOCK = [2, 0x11];
const EXTENSIBLE = 0xfffe;

/**
 * Whether a length was written when the end of the sound was still unknown, as programs do that write to a pipe. They
 * put 0 there, or about as much as a signed or an unsigned number holds.
 */
const isOpen = (length: number): boolean => length === 0 || length >= 0x7fff_f000;

const NAME = /^[ -~]{4}$/;

/** Bytes of tags and padding that programs append. More than that may be sound that the headers do not count. */
const TRAILING = 4096;

/** Seconds of sound in a number of bytes. */
function secondsOf(format: View, bytes: number): number {
  const tag = format.u16(0, true);
  const coding = tag === EXTENSIBLE ? format.u16(24, true) : tag;
  const [channels, rate, block] = [format.u16(2, true), format.u32(4, true), format.u16(12, true)];
  if (channels === 0 || rate === 0 || block === 0) throw unreadable("its WAV format has no channels or rate");
  if (PER_BLOCK.includes(coding)) return (Math.floor(bytes / block) * format.u16(18, true)) / rate;
  if (!PER_MOMENT.includes(coding))
    throw unsupported(`a WAV with coding ${coding}. Use uncompressed samples (PCM or floating point)`);
  const bits = format.u16(14, true);
  if (bits === 0 || block !== channels * Math.ceil(bits / 8))
    throw unreadable(`its WAV blocks have ${block} bytes for ${channels} channels of ${bits} bits`);
  return Math.floor(bytes / block) / rate;
}

/** The byte rate is a hint that some writers get wrong, so it is ignored. */
export const wav: Format = {
  is: (file) => file.has("RIFF") && file.has("WAVE", 8),
  read(file) {
    const declared = file.u32(4, true) + 8;
    const open = isOpen(declared - 8);
    if (!open && declared > file.length)
      throw truncated(`${declared} bytes are announced, ${file.length} came`);
    let format: View | undefined;
    let sound: number | undefined;
    let at = 12;
    while (file.length - at >= 8) {
      const type = file.text(at, 4);
      const length = file.u32(at + 4, true);
      if (type === "data" && sound === undefined && isOpen(length) && open) {
        sound = file.length - at - 8;
        at = file.length;
        break;
      }
      // Bytes after the sound that do not form a chunk are tolerated if they are few.
      if (sound !== undefined && (!NAME.test(type) || at + 8 + length > file.length)) break;
      const body = file.slice(at + 8, length);
      if (type === "fmt ") format ??= body;
      else if (type === "data") {
        if (sound !== undefined) throw unreadable("it is a WAV with two runs of sound");
        sound = length;
      }
      at += 8 + length + (length % 2);
    }
    if (!format || !sound) throw unreadable("it is a WAV without sound");
    if (file.length - at > TRAILING)
      throw unreadable(`${file.length - at} bytes follow the end of its sound`);
    return { kind: "audio", mediaType: "audio/wav", seconds: secondsOf(format, sound) };
  },
};
