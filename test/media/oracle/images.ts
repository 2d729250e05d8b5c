import type { Oracle } from "./opinion.ts";

/** Takes a JPEG's text from the front, one segment after the other. */
export const jpeg: Oracle = (file) => {
  let rest = file.toString("latin1", 2);
  for (;;) {
    const [, fill = "", marker = "", high = "", low = ""] = /^(\xff+)([^\xff])(.)(.)/s.exec(rest) ?? [];
    const length = high.charCodeAt(0) * 256 + low.charCodeAt(0);
    const segment = rest.slice(fill.length + 1, fill.length + 1 + length);
    if (/[\xc0-\xc3\xc5-\xc7\xc9-\xcb\xcd-\xcf]/.test(marker)) {
      const edges = Buffer.from(segment, "latin1");
      return { height: edges.readUInt16BE(3), width: edges.readUInt16BE(5) };
    }
    rest = rest.slice(fill.length + 1 + length);
  }
};

export const png: Oracle = (file) => {
  const at = file.indexOf("IHDR", 0, "latin1");
  return { width: file.readUInt32BE(at + 4), height: file.readUInt32BE(at + 8) };
};

export const gif: Oracle = (file) => ({ width: file.readUInt16LE(6), height: file.readUInt16LE(8) });

export const webp: Oracle = (file) => {
  for (let at = 12; ; at += 8 + file.readUInt32LE(at + 4) + (file.readUInt32LE(at + 4) & 1)) {
    switch (file.toString("latin1", at, at + 4)) {
      case "VP8X":
        return { width: file.readUIntLE(at + 12, 3) + 1, height: file.readUIntLE(at + 15, 3) + 1 };
      case "VP8 ":
        return { width: file.readUInt16LE(at + 14) % 16384, height: file.readUInt16LE(at + 16) % 16384 };
      case "VP8L": {
        const bits = BigInt(file.readUInt32LE(at + 9));
        return { width: Number(bits % 16384n) + 1, height: Number((bits / 16384n) % 16384n) + 1 };
      }
    }
  }
};

export const bmp: Oracle = (file) =>
  file.readUInt32LE(14) === 12
    ? { width: file.readUInt16LE(18), height: file.readUInt16LE(20) }
    : { width: file.readInt32LE(18), height: Math.abs(file.readInt32LE(22)) };

export const tiff: Oracle = (file) => {
  const data = new DataView(file.buffer, file.byteOffset, file.length);
  const little = file[0] === 0x49;
  const big = data.getUint16(2, little) === 43;
  const start = big ? Number(data.getBigUint64(8, little)) : data.getUint32(4, little);
  const found: Record<number, number> = {};
  for (let entry = 0; entry < data.getUint16(start + (big ? (little ? 0 : 6) : 0), little); entry++) {
    const at = start + (big ? 8 + entry * 20 : 2 + entry * 12);
    const type = data.getUint16(at + 2, little);
    const value = at + (big ? 12 : 8);
    const tag = data.getUint16(at, little);
    if (type === 1) found[tag] = data.getUint8(value);
    if (type === 3) found[tag] = data.getUint16(value, little);
    if (type === 4 || type === 13) found[tag] = data.getUint32(value, little);
    if (type === 16 || type === 18)
      found[tag] = Number(data.getBigUint64(big ? value : data.getUint32(value, little), little));
  }
  return { width: found[256], height: found[257] };
};
