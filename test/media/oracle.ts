/**
 * A second opinion on what a file is: readers that trust every byte, hold the file whole and expand what is coded
 * short. They share nothing with the package but the formats, and throw or answer nonsense for what they do not
 * expect. Fuzzing asks them only about files that the package lets pass.
 */
export interface Opinion {
  width?: number;
  height?: number;
  seconds?: number;
  fps?: number;
}

type Oracle = (file: Buffer) => Opinion;

/** Takes a JPEG's text from the front, one segment after the other. */
const jpeg: Oracle = (file) => {
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

const png: Oracle = (file) => {
  const at = file.indexOf("IHDR", 0, "latin1");
  return { width: file.readUInt32BE(at + 4), height: file.readUInt32BE(at + 8) };
};

const gif: Oracle = (file) => ({ width: file.readUInt16LE(6), height: file.readUInt16LE(8) });

const webp: Oracle = (file) => {
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

const bmp: Oracle = (file) =>
  file.readUInt32LE(14) === 12
    ? { width: file.readUInt16LE(18), height: file.readUInt16LE(20) }
    : { width: file.readInt32LE(18), height: Math.abs(file.readInt32LE(22)) };

const tiff: Oracle = (file) => {
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

/** A box as a tree: the boxes inside it by type, in order. */
interface Node {
  type: string;
  body: Buffer;
}

function nodes(range: Buffer): Node[] {
  const all: Node[] = [];
  for (let at = 0; at + 8 <= range.length; ) {
    const short = range.readUInt32BE(at);
    const length =
      short === 0 ? range.length - at : short === 1 ? Number(range.readBigUInt64BE(at + 8)) : short;
    all.push({
      type: range.toString("latin1", at + 4, at + 8),
      body: range.subarray(at + (short === 1 ? 16 : 8), at + length),
    });
    at += length;
  }
  return all;
}

const under = (range: Buffer, type: string): Buffer[] =>
  nodes(range).flatMap((node) => (node.type === type ? [node.body] : []));

const only = (range: Buffer, ...path: string[]): Buffer =>
  path.reduce((inner, type) => {
    const [found] = under(inner, type);
    if (!found) throw new Error(`no ${type}`);
    return found;
  }, range);

const heif: Oracle = (file) => {
  const meta = only(file, "meta").subarray(4);
  const pitm = only(meta, "pitm");
  const main = pitm[0] === 0 ? pitm.readUInt16BE(4) : pitm.readUInt32BE(4);
  const properties = nodes(only(meta, "iprp", "ipco"));
  for (const ipma of under(only(meta, "iprp"), "ipma")) {
    const idBytes = ipma[0] === 0 ? 2 : 4;
    const wide = ((ipma[3] as number) & 1) + 1;
    let at = 8;
    for (let entry = ipma.readUInt32BE(4); entry > 0; entry--) {
      const id = ipma.readUIntBE(at, idBytes);
      const count = ipma[at + idBytes] as number;
      at += idBytes + 1;
      for (let index = 0; index < count; index++, at += wide) {
        const number = ipma.readUIntBE(at, wide) % (wide === 1 ? 128 : 32768);
        const property = properties[number - 1];
        if (id === main && property?.type === "ispe")
          return { width: property.body.readUInt32BE(4), height: property.body.readUInt32BE(8) };
      }
    }
  }
  throw new Error("no size");
};

/** Every sample's ticks, one by one. */
function times(table: Buffer): number[] {
  const stts = only(table, "stts");
  const all: number[] = [];
  for (let run = 0; run < stts.readUInt32BE(4); run++)
    for (let sample = stts.readUInt32BE(8 + run * 8); sample > 0; sample--) {
      if (all.length > 1_000_000) throw new Error("too many samples");
      all.push(stts.readUInt32BE(12 + run * 8));
    }
  return all;
}

/** Every sample's ticks in the fragments of a track, as far as our writers' flags go. */
function fragmentTimes(file: Buffer, id: number, trex: Buffer | undefined): number[] {
  const all: number[] = [];
  for (const moof of under(file, "moof"))
    for (const traf of under(moof, "traf")) {
      const tfhd = only(traf, "tfhd");
      if (tfhd.readUInt32BE(4) !== id) continue;
      const flags = tfhd.readUIntBE(1, 3);
      const at = 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0);
      const each = flags & 8 ? tfhd.readUInt32BE(at) : (trex?.readUInt32BE(12) ?? 0);
      for (const trun of under(traf, "trun")) {
        const own = trun.readUIntBE(1, 3);
        const step = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => own & flag).length;
        const start = 8 + (own & 1 ? 4 : 0) + (own & 4 ? 4 : 0);
        for (let sample = 0; sample < trun.readUInt32BE(4); sample++)
          all.push(own & 0x100 ? trun.readUInt32BE(start + sample * step) : each);
      }
    }
  return all;
}

const movie: Oracle = (file) => {
  const moov = only(file, "moov");
  const mvhd = only(moov, "mvhd");
  const movieScale = mvhd.readUInt32BE(mvhd[0] === 1 ? 20 : 12);
  const [mvex] = under(moov, "mvex");
  let picture: (Opinion & { enabled: boolean }) | undefined;
  let longest = 0;
  for (const trak of under(moov, "trak")) {
    const [mdia] = under(trak, "mdia");
    const [hdlr] = mdia ? under(mdia, "hdlr") : [];
    const handler = hdlr?.toString("latin1", 8, 12);
    if (!mdia || (handler !== "vide" && handler !== "soun")) continue;
    const tkhd = only(trak, "tkhd");
    const mdhd = only(mdia, "mdhd");
    const scale = mdhd.readUInt32BE(mdhd[0] === 1 ? 20 : 12);
    const table = only(mdia, "minf", "stbl");
    const id = tkhd.readUInt32BE(tkhd[0] === 1 ? 20 : 12);
    const trex = mvex && under(mvex, "trex").findLast((one) => one.readUInt32BE(4) === id);
    const all = [...times(table), ...(mvex ? fragmentTimes(file, id, trex) : [])];
    const length = all.reduce((sum, each) => sum + each, 0) / scale;
    const [edts] = under(trak, "edts");
    const [elst] = edts ? under(edts, "elst") : [];
    let shown = elst && elst.readUInt32BE(4) > 0 ? 0 : length;
    for (let edit = 0; elst && edit < elst.readUInt32BE(4); edit++) {
      const wide = elst[0] === 1;
      const at = 8 + edit * (wide ? 20 : 12);
      const segment = (wide ? Number(elst.readBigUInt64BE(at)) : elst.readUInt32BE(at)) / movieScale;
      const from = wide ? elst.readBigInt64BE(at + 8) : BigInt(elst.readInt32BE(at + 4));
      const left = Math.max(0, length - Number(from) / scale);
      shown += from === -1n ? segment : segment === 0 ? left : Math.min(left, segment);
    }
    longest = Math.max(longest, shown);
    const enabled = ((tkhd[3] as number) & 1) === 1;
    if (handler !== "vide" || (picture && (picture.enabled || !enabled))) continue;
    const entry = only(table, "stsd").subarray(8);
    picture = {
      enabled,
      width: entry.readUInt16BE(32),
      height: entry.readUInt16BE(34),
      fps: all.length / length,
    };
  }
  const { width, height, fps } = picture ?? {};
  return { width, height, fps, seconds: longest };
};

const wav: Oracle = (file) => {
  let format: Buffer | undefined;
  for (let at = 12; ; ) {
    const type = file.toString("latin1", at, at + 4);
    const length = file.readUInt32LE(at + 4);
    if (type === "fmt ") format ??= file.subarray(at + 8, at + 8 + length);
    if (type === "data" && format) {
      const known = length !== 0 && length !== 0xffffffff;
      const bytes = known ? length : file.length - at - 8;
      return { seconds: Math.floor(bytes / format.readUInt16LE(12)) / format.readUInt32LE(4) };
    }
    at += 8 + length + (length & 1);
  }
};

const BITRATES = "0 32 40 48 56 64 80 96 112 128 160 192 224 256 320".split(" ").map(Number);
const LOW_BITRATES = "0 8 16 24 32 40 48 56 64 80 96 112 128 144 160".split(" ").map(Number);

/** Seconds and bytes of the frame at an offset. */
function frameAt(file: Buffer, at: number): [seconds: number, bytes: number] | undefined {
  const bits = file.subarray(at, at + 4).reduce((text, byte) => text + byte.toString(2).padStart(8, "0"), "");
  const [, version = "", rateBits = "", frequency = "", padding = ""] =
    /^1{11}(00|10|11)01.(\d{4})(00|01|10)(.)/.exec(bits) ?? [];
  const kilobits = (version === "11" ? BITRATES : LOW_BITRATES)[Number.parseInt(rateBits, 2)];
  if (!kilobits) return undefined;
  const base = [44100, 48000, 32000][Number.parseInt(frequency, 2)] as number;
  const rate = version === "11" ? base : version === "10" ? base / 2 : base / 4;
  const samples = version === "11" ? 1152 : 576;
  return [samples / rate, Math.floor((samples * 125 * kilobits) / rate) + Number(padding)];
}

const mp3: Oracle = (file) => {
  let seconds = 0;
  for (let at = 0; at < file.length; ) {
    const tag = file.toString("latin1", at, at + 3) === "ID3" ? file.subarray(at + 6, at + 10) : undefined;
    if (tag) {
      const length =
        tag.reduce((sum, byte) => sum * 128 + (byte & 127), 0) + ((file[at + 5] as number) & 16 ? 20 : 10);
      at += at + length <= file.length ? length : 1;
      continue;
    }
    const frame = frameAt(file, at);
    if (frame && at + frame[1] <= file.length) {
      const head = file.toString("latin1", at, at + 48);
      if (!/Xing|Info|VBRI/.test(head)) seconds += frame[0];
      at += frame[1];
    } else at++;
  }
  return { seconds };
};

export const oracles: Record<string, Oracle> = {
  "image/jpeg": jpeg,
  "image/png": png,
  "image/gif": gif,
  "image/webp": webp,
  "image/bmp": bmp,
  "image/tiff": tiff,
  "image/heic": heif,
  "image/heif": heif,
  "video/mp4": movie,
  "video/quicktime": movie,
  "audio/wav": wav,
  "audio/mpeg": mp3,
};
