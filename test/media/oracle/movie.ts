import { only, under } from "./boxes.ts";
import type { Opinion, Oracle } from "./opinion.ts";

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

export const movie: Oracle = (file) => {
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
