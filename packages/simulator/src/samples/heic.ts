import { u16, u32 } from "./bits.ts";
import { box, fullBox, words } from "./boxes.ts";

const CONFIGURATION = [
  1, 1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 90, 0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f, 0,
];
const PAYLOAD = 64;

/** A HEIC whose headers are right and whose picture is zeros: enough for everything but a decoder. */
export function heic(width: number, height: number): Buffer {
  const type = box("ftyp", "heic", [0, 0, 0, 0], "mif1heic");
  const meta = (offset: number): Buffer =>
    fullBox(
      "meta",
      [0, 0],
      fullBox("hdlr", [0, 0], u32(0), "pict", Buffer.alloc(13)),
      fullBox("pitm", [0, 0], u16(1)),
      fullBox("iloc", [0, 0], [0x44, 0], u16(1), u16(1), u16(0), u16(1), words(offset, PAYLOAD)),
      fullBox("iinf", [0, 0], u16(1), fullBox("infe", [2, 0], u16(1), u16(0), "hvc1", [0])),
      box(
        "iprp",
        box("ipco", fullBox("ispe", [0, 0], words(width, height)), box("hvcC", CONFIGURATION)),
        fullBox("ipma", [0, 0], u32(1), u16(1), [2, 0x81, 0x02]),
      ),
    );
  const head = type.length + meta(0).length + 8;
  return Buffer.concat([type, meta(head), box("mdat", Buffer.alloc(PAYLOAD))]);
}
