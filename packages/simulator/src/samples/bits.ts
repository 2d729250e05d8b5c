/** Writes numbers bit by bit: most significant first, as video and audio formats do, or least first. */
export interface BitWriter {
  put(width: number, value: number): void;
  /** An unsigned number in Exp-Golomb code. */
  golomb(value: number): void;
  /** The bytes so far; the last one is filled up with `fill` bits. */
  bytes(fill?: 0 | 1): Buffer;
}

export function createBitWriter(order: "most" | "least" = "most"): BitWriter {
  const out: number[] = [];
  let used = 0;
  const push = (bit: number): void => {
    if (used % 8 === 0) out.push(0);
    const at = order === "most" ? 7 - (used % 8) : used % 8;
    out[out.length - 1]! |= bit << at;
    used += 1;
  };
  const put: BitWriter["put"] = (width, value) => {
    for (let index = 0; index < width; index++) {
      const shift = order === "most" ? width - 1 - index : index;
      push(Math.floor(value / 2 ** shift) % 2);
    }
  };
  return {
    put,
    golomb(value) {
      const width = Math.floor(Math.log2(value + 1)) + 1;
      put(width - 1, 0);
      put(width, value + 1);
    },
    bytes(fill = 0) {
      const padded = Buffer.from(out);
      if (fill === 1 && used % 8 !== 0) padded[padded.length - 1]! |= 0xff >> (used % 8);
      return padded;
    },
  };
}

/** Big-endian and little-endian numbers as bytes. */
export const u16 = (value: number): Buffer => Buffer.from([(value >> 8) & 255, value & 255]);
export const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
export const le16 = (value: number): Buffer => Buffer.from([value & 255, (value >> 8) & 255]);
export const le32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
