import { nodes, only, under } from "./boxes.ts";
import type { Oracle } from "./opinion.ts";

export const heif: Oracle = (file) => {
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
