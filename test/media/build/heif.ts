import { box, full } from "./boxes.ts";
import { ascii, type Bytes, be, cat, raw, zeros } from "./bytes.ts";
import type { Size } from "./images.ts";

interface Item {
  id: number;
  coding: string;
  size: Size;
  /** The items that it is put together from. */
  tiles?: number[];
}

interface Options {
  brands: string[];
  main: number;
  items: Item[];
}

const BYTES = 16;

function metaOf({ main, items }: Options, dataAt: number): Bytes {
  const infos = items.map(({ id, coding }) => full("infe", 2, 0, be(2, id, 0), ascii(`${coding}\0`)));
  const sizes = items.map(({ size }) => full("ispe", 0, 0, be(4, size.width, size.height)));
  const properties = items.map(({ id }, index) => cat(be(2, id), raw(1, 0x80 | (index + 1))));
  const places = items.map(({ id }, index) => cat(be(2, id, 0, 1), be(4, dataAt + index * BYTES, BYTES)));
  const references = items.flatMap(({ id, tiles }) =>
    tiles ? [box("dimg", be(2, id, tiles.length, ...tiles))] : [],
  );
  return full(
    "meta",
    0,
    0,
    full("hdlr", 0, 0, zeros(4), ascii("pict"), zeros(13)),
    full("pitm", 0, 0, be(2, main)),
    full("iinf", 0, 0, be(2, items.length), ...infos),
    ...(references.length > 0 ? [full("iref", 0, 0, ...references)] : []),
    box("iprp", box("ipco", ...sizes), full("ipma", 0, 0, be(4, items.length), ...properties)),
    full("iloc", 0, 0, raw(0x44, 0), be(2, items.length), ...places),
  );
}

/** A file of coded pictures, one of which is the main one. */
export function heifOf(options: Options): Bytes {
  const [major = ""] = options.brands;
  const type = box("ftyp", ascii(major), zeros(4), ascii(options.brands.join("")));
  const start = type.length + metaOf(options, 0).length + 8;
  return cat(type, metaOf(options, start), box("mdat", zeros(BYTES * options.items.length)));
}

export const heic = (size: Size): Bytes =>
  heifOf({ brands: ["heic", "mif1"], main: 1, items: [{ id: 1, coding: "hvc1", size }] });

export const avif = (size: Size): Bytes =>
  heifOf({ brands: ["avif", "mif1"], main: 1, items: [{ id: 1, coding: "av01", size }] });

/** As phones write it: a grid of tiles of 512 pixels. */
export function heicGrid(size: Size): Bytes {
  const tiles = Array.from(
    { length: Math.ceil(size.width / 512) * Math.ceil(size.height / 512) },
    (_, index) => index + 1,
  );
  return heifOf({
    brands: ["heic", "mif1"],
    main: tiles.length + 1,
    items: [
      ...tiles.map((id) => ({ id, coding: "hvc1", size: { width: 512, height: 512 } })),
      { id: tiles.length + 1, coding: "grid", size, tiles },
    ],
  });
}
