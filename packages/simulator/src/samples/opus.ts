import { le16, le32 } from "./bits.ts";

const TABLE = Array.from({ length: 256 }, (_, index) => {
  let value = index * 2 ** 24;
  for (let bit = 0; bit < 8; bit++) value = ((value << 1) ^ (value & 0x80000000 ? 0x04c11db7 : 0)) >>> 0;
  return value;
});

function checksum(bytes: Buffer): number {
  let value = 0;
  for (const byte of bytes) value = ((value << 8) ^ TABLE[((value >>> 24) ^ byte) & 255]!) >>> 0;
  return value;
}

const SKIP = 312;
/** Samples in one packet, always counted at 48 kHz. */
const PACKET = 960;
const SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);

function page(packets: Buffer[], index: number, flags: number, granule: number): Buffer {
  const bytes = Buffer.concat([
    Buffer.from("OggS", "latin1"),
    Buffer.from([0, flags]),
    le32(granule),
    le32(0),
    le32(1),
    le32(index),
    le32(0),
    Buffer.from([packets.length, ...packets.map((packet) => packet.length)]),
    ...packets,
  ]);
  bytes.writeUInt32LE(checksum(bytes), 22);
  return bytes;
}

/** Silence as Opus in Ogg, one channel; `rate` is what the sound was before. */
export function opus(seconds: number, rate = 24000): Buffer {
  const text = (value: string): Buffer => Buffer.from(value, "latin1");
  const head = Buffer.concat([
    text("OpusHead"),
    Buffer.from([1, 1]),
    le16(SKIP),
    le32(rate),
    le16(0),
    Buffer.from([0]),
  ]);
  const tags = Buffer.concat([text("OpusTags"), le32(3), text("sim"), le32(0)]);
  const end = Math.round(seconds * 48000) + SKIP;
  const total = Math.ceil(end / PACKET);
  const pages = [page([head], 0, 2, 0), page([tags], 1, 0, 0)];
  for (let done = 0; done < total; ) {
    const count = Math.min(50, total - done);
    done += count;
    const last = done === total;
    const packets = new Array<Buffer>(count).fill(SILENCE);
    pages.push(page(packets, pages.length, last ? 4 : 0, last ? end : done * PACKET));
  }
  return Buffer.concat(pages);
}
