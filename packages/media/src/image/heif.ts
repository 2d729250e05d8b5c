import { box, boxAt, boxes, brandsOf, flagsOf, versionOf } from "../boxes.ts";
import type { Format } from "../format.ts";
import { unreadable } from "../probe-error.ts";
import type { View } from "../view.ts";
import { checkLocations } from "./heif-locations.ts";
import { picture } from "./size.ts";

const BRANDS = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis"];
const FULL = 4;

/** Item ids became 32 bits wide in later versions of the boxes that hold them. */
const idAt = (body: View, at: number, wide: boolean): number => (wide ? body.u32(at) : body.u16(at));

/** The coding of an item, such as `hvc1`, `av01` or `grid`. */
function typeOf(meta: View, item: number): string {
  const list = box(meta, "iinf");
  if (!list) throw unreadable("its HEIF items are not listed");
  const entries = list.slice(FULL + (versionOf(list) === 0 ? 2 : 4));
  for (const { type, body } of boxes(entries)) {
    const version = versionOf(body);
    if (type !== "infe" || version < 2) continue;
    const wide = version > 2;
    if (idAt(body, FULL, wide) === item) return body.text(FULL + (wide ? 4 : 2) + 2, 4);
  }
  throw unreadable("its HEIF main picture is not among its items");
}

/** The numbers, from 1, of the properties that belong to an item. */
function* propertiesOf(associations: View, item: number): Generator<number> {
  const wideId = versionOf(associations) > 0;
  const wideIndex = (flagsOf(associations) & 1) === 1;
  const count = associations.u32(FULL);
  let at = FULL + 4;
  for (let entry = 0; entry < count; entry++) {
    const id = idAt(associations, at, wideId);
    at += wideId ? 4 : 2;
    const length = associations.u8(at);
    at += 1;
    // The top bit says that a reader has to understand the property.
    if (id === item)
      for (let index = 0; index < length; index++)
        yield wideIndex ? associations.u16(at + 2 * index) & 0x7fff : associations.u8(at + index) & 0x7f;
    at += length * (wideIndex ? 2 : 1);
  }
}

/** The size property of an item. */
function sizeOf(meta: View, item: number): { width: number; height: number } {
  const properties = box(meta, "iprp");
  const container = properties && box(properties, "ipco");
  if (!properties || !container) throw unreadable("its HEIF items have no properties");
  const all = [...boxes(container)];
  for (const { type, body } of boxes(properties)) {
    if (type !== "ipma") continue;
    for (const index of propertiesOf(body, item)) {
      const property = all[index - 1];
      if (property?.type === "ispe")
        return { width: property.body.u32(FULL), height: property.body.u32(FULL + 4) };
    }
  }
  throw unreadable("its HEIF main picture has no size");
}

/** The items that an item is put together from. */
function tilesOf(meta: View, item: number): number[] {
  const references = box(meta, "iref");
  if (!references) return [];
  const wide = versionOf(references) > 0;
  const step = wide ? 4 : 2;
  const tiles: number[] = [];
  for (const { type, body } of boxes(references.slice(FULL))) {
    if (type !== "dimg" || idAt(body, 0, wide) !== item) continue;
    const count = body.u16(step);
    for (let index = 0; index < count; index++) tiles.push(idAt(body, step + 2 + index * step, wide));
  }
  return tiles;
}

function mediaTypeOf(coding: string, brands: string[]): `image/${string}` {
  if (coding === "av01") return "image/avif";
  return brands.some((brand) => brand.startsWith("he")) ? "image/heic" : "image/heif";
}

/** The size is the main picture's, not that of thumbnails, tiles or other pictures in the file. */
export const heif: Format = {
  is: (file) => file.has("ftyp", 4) && brandsOf(file).some((brand) => BRANDS.includes(brand)),
  read(file) {
    for (const _ of boxes(file)); // Every box has to be complete, also those that hold the pictures.
    const meta = boxAt(file, "meta")?.slice(FULL);
    const main = meta && box(meta, "pitm");
    if (!main) throw unreadable("it is a HEIF without a main picture");
    const item = idAt(main, FULL, versionOf(main) > 0);
    const type = typeOf(meta, item);
    const tiles = type === "grid" ? tilesOf(meta, item) : [];
    if (type === "grid" && tiles.length === 0) throw unreadable("its HEIF main picture has no tiles");
    checkLocations(file, meta, [item, ...tiles]);
    const { width, height } = sizeOf(meta, item);
    return picture(
      mediaTypeOf(tiles[0] === undefined ? type : typeOf(meta, tiles[0]), brandsOf(file)),
      width,
      height,
    );
  },
};
