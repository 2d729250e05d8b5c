import { ascii, type Bytes, be, cat, raw, repeated, zeros } from "./bytes.ts";

function element(id: number, ...parts: Uint8Array[]): Bytes {
  const bytes = Math.ceil((32 - Math.clz32(id)) / 8);
  const body = cat(...parts);
  return cat(be(bytes, id), raw(1), be(7, body.length), body);
}

export interface MatroskaOptions {
  codec: string;
  /** Thousands of bits of sound in a second. */
  kilobits: number;
  channels: number;
  /** Nanoseconds of a tick, as the file says; its blocks are made for a million. */
  scale: number;
  filmed: boolean;
  /** The tracks are described once more behind the blocks. */
  again: boolean;
  /** How many segments there are. */
  segments: number;
}

const BLOCK_SECONDS = 0.1;
const COUNT = 51;

/** Five seconds of sound in blocks of a tenth of a second, the last of which only begins there. */
export function matroska(options: Partial<MatroskaOptions> = {}): Bytes {
  const { codec = "A_VORBIS", kilobits = 64, channels = 2 } = options;
  const { scale = 1_000_000, filmed = false, segments = 1 } = options;
  const audio = element(0xe1, element(0x9f, raw(channels)));
  const sound = element(
    0xae,
    element(0xd7, raw(1)),
    element(0x83, raw(2)),
    element(0x86, ascii(codec)),
    audio,
  );
  const size = element(0xe0, element(0xb0, be(2, 640)), element(0xba, be(2, 480)));
  const picture = element(0xae, element(0xd7, raw(2)), element(0x83, raw(1)), size);
  const tracks = element(0x1654ae6b, sound, ...(filmed ? [picture] : []));
  const block = (track: number, bytes: number): Bytes =>
    element(0xa3, raw(0x80 + track, 0, 0, 0x80), zeros(bytes));
  const clusters = Array.from({ length: COUNT }, (_, at) =>
    element(
      0x1f43b675,
      element(0xe7, be(2, at * BLOCK_SECONDS * 1000)),
      block(1, (kilobits * 1000 * BLOCK_SECONDS) / 8),
      ...(filmed ? [block(2, 10)] : []),
    ),
  );
  const info = element(0x1549a966, element(0x2ad7b1, be(4, scale)));
  const segment = element(0x18538067, info, tracks, ...clusters, ...(options.again ? [tracks] : []));
  return cat(element(0x1a45dfa3, element(0x4282, ascii("matroska"))), repeated(segment, segments));
}
