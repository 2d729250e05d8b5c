import { crc32 } from "node:zlib";
import { ascii, type Bytes, be, cat, le, raw, zeros } from "./bytes.ts";

export interface Size {
  width: number;
  height: number;
}

const segment = (marker: number, body: Uint8Array): Bytes =>
  cat(raw(0xff, marker), be(2, body.length + 2), body);

export function jpeg({ width, height }: Size, { progressive = false, before = [] as Bytes[] } = {}): Bytes {
  const components = raw(1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1);
  const frame = segment(progressive ? 0xc2 : 0xc0, cat(raw(8), be(2, height, width), raw(3), components));
  const scan = cat(
    segment(0xda, raw(3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0)),
    raw(0x12, 0xff, 0, 0x34, 0xff, 0xd0, 0x56),
  );
  const intro = segment(0xe0, cat(ascii("JFIF\0"), raw(1, 2, 0, 0, 1, 0, 1, 0, 0)));
  return cat(raw(0xff, 0xd8), intro, ...before, frame, scan, ...(progressive ? [scan] : []), raw(0xff, 0xd9));
}

/** An application segment of a length. */
export const application = (length: number): Bytes => segment(0xe1, zeros(length));

const chunk = (type: string, body: Uint8Array): Bytes => {
  const named = cat(ascii(type), body);
  return cat(be(4, body.length), named, be(4, crc32(named)));
};

export function png({ width, height }: Size): Bytes {
  const header = cat(be(4, width, height), raw(8, 2, 0, 0, 0));
  return cat(
    ascii("\x89PNG\r\n\x1a\n"),
    chunk("IHDR", header),
    chunk("IDAT", zeros(12)),
    chunk("IEND", zeros(0)),
  );
}

export function gif({ width, height }: Size, { frames = 1 } = {}): Bytes {
  const control = cat(raw(0x21, 0xf9, 4, 0, 1, 0, 0, 0));
  const frame = cat(raw(0x2c), le(2, 0, 0, 8, 8), raw(0, 2, 3, 0x44, 1, 5, 0));
  return cat(
    ascii("GIF89a"),
    le(2, width, height),
    raw(0x80, 0, 0),
    zeros(6),
    ...Array.from({ length: frames }, () => cat(control, frame)),
    raw(0x3b),
  );
}

const riffChunk = (type: string, body: Uint8Array): Bytes =>
  cat(ascii(type), le(4, body.length), body, zeros(body.length % 2));

const riff = (...chunks: Bytes[]): Bytes => {
  const body = cat(ascii("WEBP"), ...chunks);
  return cat(ascii("RIFF"), le(4, body.length), body);
};

const lossy = ({ width, height }: Size): Bytes =>
  riffChunk("VP8 ", cat(raw(0x30, 1, 0, 0x9d, 1, 0x2a), le(2, width, height), zeros(11)));

const canvas = ({ width, height }: Size): Bytes =>
  riffChunk("VP8X", cat(zeros(4), le(3, width - 1, height - 1)));

export const webp = (size: Size): Bytes => riff(lossy(size));

export const webpLossless = ({ width, height }: Size): Bytes =>
  riff(riffChunk("VP8L", cat(raw(0x2f), le(4, width - 1 + (height - 1) * 0x4000), zeros(8))));

export const webpExtended = (size: Size, still: Size = size): Bytes => riff(canvas(size), lossy(still));

export const webpAnimated = (size: Size): Bytes =>
  riff(canvas(size), riffChunk("ANIM", zeros(6)), riffChunk("ANMF", cat(zeros(16), lossy(size))));

function bitmap(header: Uint8Array, pixels: number): Bytes {
  const start = 14 + header.length;
  return cat(ascii("BM"), le(4, start + pixels), zeros(4), le(4, start), header, zeros(pixels));
}

const rowsOf = ({ width, height }: Size): number => Math.ceil(width / 32) * 4 * height;

/** One bit for a pixel. A top-down picture has a negative height. */
export function bmp(size: Size, { topDown = false } = {}): Bytes {
  const height = topDown ? 2 ** 32 - size.height : size.height;
  return bitmap(cat(le(4, 40, size.width, height), le(2, 1, 1), zeros(24)), rowsOf(size));
}

/** The header of OS/2, with edges of 16 bits. */
export const bmpCore = (size: Size): Bytes =>
  bitmap(cat(le(4, 12), le(2, size.width, size.height, 1, 1)), rowsOf(size));

/** A fax-coded picture in one strip, its directory behind or before the data. */
export function tiff({ width, height }: Size, { little = true, big = false } = {}): Bytes {
  const write = little ? le : be;
  const word = big ? 8 : 4;
  const data = zeros(24);
  const start = big ? 16 : 8;
  const entry = (tag: number, type: number, bytes: number, value: number): Bytes =>
    cat(write(2, tag, type), write(word, 1), write(bytes, value), zeros(word - bytes));
  const entries = [
    entry(256, 4, 4, width),
    entry(257, 3, 2, height),
    entry(259, 3, 2, 4),
    entry(273, big ? 16 : 4, word, start),
    entry(279, 3, 2, data.length),
  ];
  const head = cat(
    ascii(little ? "II" : "MM"),
    write(2, big ? 43 : 42),
    ...(big ? [write(2, 8, 0)] : []),
    write(word, start + data.length),
  );
  return cat(head, data, write(big ? 8 : 2, entries.length), ...entries, zeros(word));
}
