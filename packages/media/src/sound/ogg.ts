import type { Format } from "../format.ts";
import { unreadable, unsupported } from "../probe-error.ts";
import type { View } from "../view.ts";
import { mostLossyBits } from "./lossy.ts";
import { OPUS_RATE, opusSamples } from "./opus.ts";
import { trailingTag } from "./tags.ts";

/** The first byte of a page. */
const MARK = 0x4f;
/** The cost of a page beside its bytes. */
const PAGE_STEPS = 10;
/** A position that says that no packet ends on the page. */
const NO_POSITION = 0xffffffff;

/** One stream of the file. */
interface Stream {
  codec: "opus" | "vorbis";
  rate: number;
  channels: number;
  /** Samples at the beginning that are not played. */
  skip: number;
  /** Samples by the packets, where those are read. */
  counted: number;
  /** The largest position that a page gives. */
  position: number;
}

/** The stream that a first packet begins; undefined for pictures, text and other codecs. */
function streamFrom(packet: View): Stream | undefined {
  const counts = { counted: 0, position: 0 };
  if (packet.has("OpusHead") && packet.length >= 19)
    return {
      codec: "opus",
      rate: OPUS_RATE,
      channels: packet.u8(9),
      skip: packet.u16(10, true),
      ...counts,
    };
  if (packet.has("\u0001vorbis") && packet.length >= 16)
    return { codec: "vorbis", rate: packet.u32(12, true), channels: packet.u8(11), skip: 0, ...counts };
  return undefined;
}

const isHeader = (packet: View): boolean => packet.has("OpusTags") || packet.has("OpusHead");

function secondsOf({ codec, rate, skip, counted, position }: Stream): number {
  if (rate === 0) throw unreadable("its Ogg stream has no rate");
  // Opus packets say their own lengths, of which a position can only leave out the end.
  const samples = codec === "opus" ? counted - skip : position;
  return Math.max(0, samples) / rate;
}

function hasPage(range: View): boolean {
  for (let at = range.find(MARK, 0); at !== undefined; at = range.find(MARK, at + 1))
    if (range.has("OggS", at)) return true;
  return false;
}

/** Ogg with Opus or Vorbis. A file may be several, one after the other: their lengths add up. */
export const ogg: Format = {
  is: (file) => file.has("OggS"),
  read(file) {
    const streams = new Map<number, Stream>();
    const ended: Stream[] = [];
    let sound = 0;
    for (let at = 0; at < file.length; ) {
      file.spend(PAGE_STEPS);
      if (!file.has("OggS", at)) {
        // Players go on at the next page, wherever it begins.
        const tag = trailingTag(file, at);
        if (tag === undefined || hasPage(file.slice(at, tag)))
          throw unreadable(`no Ogg page begins at byte ${at}`);
        at += tag;
        continue;
      }
      const flags = file.u8(at + 5);
      const low = file.u32(at + 6, true);
      const high = file.u32(at + 10, true);
      const serial = file.u32(at + 14, true);
      const count = file.u8(at + 26);
      const body = at + 27 + count;
      let [length, packet] = [0, 0];
      const packets: View[] = [];
      for (let index = 0; index < count; index++) {
        const size = file.u8(at + 27 + index);
        length += size;
        packet += size;
        if (size === 255) continue;
        packets.push(file.slice(body + length - packet, packet));
        packet = 0;
      }
      const begins = (flags & 2) !== 0;
      if (begins) {
        const stream = packets[0] && streamFrom(packets[0]);
        const before = streams.get(serial);
        if (before) ended.push(before);
        if (stream) streams.set(serial, stream);
      } else {
        const stream = streams.get(serial);
        if (stream) {
          sound += length;
          const whole = high * 0x100000000 + low;
          if (high < NO_POSITION && Number.isSafeInteger(whole))
            stream.position = Math.max(stream.position, whole);
          // A packet that began on the page before is counted there, by its first bytes.
          const begun = (flags & 1) !== 0 ? packets.slice(1) : packets;
          if (stream.codec === "opus")
            for (const one of begun) if (!isHeader(one)) stream.counted += opusSamples(one);
          if (stream.codec === "opus" && packet > 0 && !((flags & 1) !== 0 && packets.length === 0))
            stream.counted += opusSamples(file.slice(body + length - packet, packet));
        }
      }
      at = body + length;
    }
    const all = [...ended, ...streams.values()];
    if (all.length === 0) throw unsupported("an Ogg file with neither Opus nor Vorbis");
    const seconds = all.reduce((sum, stream) => sum + secondsOf(stream), 0);
    if (seconds === 0) throw unreadable("it is an Ogg file without audio");
    if ((sound * 8) / seconds > mostLossyBits(Math.max(...all.map(({ channels }) => channels))))
      throw unreadable(`${sound} bytes of sound contradict its length of ${Math.round(seconds)} s`);
    return { kind: "audio", mediaType: "audio/ogg", seconds };
  },
};
