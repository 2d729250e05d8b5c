import { snake } from "../../../codec/snake-case.ts";
import { type Json, type JsonObject, toArray, toObject } from "../../../json/json.ts";
import type { OperationFacts } from "../../codec.ts";

/** A member of a wire that is read in both casings. */
export const member = (record: JsonObject, name: string): Json | undefined =>
  record[name] ?? record[snake(name)] ?? undefined;

/** One vector's worth of a request, whichever of its spellings the caller chose. */
export interface EmbedItem {
  /** Its place; the whole body's is the empty path. */
  path: (string | number)[];
  record: JsonObject;
  config: JsonObject;
  /** The settings as newer clients of the vendor's own endpoint write them. */
  native: JsonObject;
  /** `content` is the provider's spelling, `contents` that of the surface and of the SDKs' arguments. */
  field: "content" | "contents";
  content?: Json;
}

/** The requests of a body: the body itself, or each of its `requests`. */
export function embedItemsOf(wire: JsonObject): EmbedItem[] {
  if (wire.requests === undefined || wire.requests === null) return [toEmbedItem(wire, [])];
  return toArray(wire.requests).map((request, i) => toEmbedItem(toObject(request), ["requests", i]));
}

/** `embedContentConfig`, of which only the length of vectors has a place of its own here. */
export const nativeConfigOf = (record: JsonObject): JsonObject =>
  toObject(member(record, "embedContentConfig"));

function toEmbedItem(record: JsonObject, path: EmbedItem["path"]): EmbedItem {
  const usual = path.length > 0 ? "content" : "contents";
  const field = (["content", "contents"] as const).find((name) => (record[name] ?? null) !== null) ?? usual;
  const content = record[field] ?? undefined;
  return {
    path,
    record,
    config: toObject(record.config),
    native: nativeConfigOf(record),
    field,
    ...(content !== undefined && { content }),
  };
}

const dimensions = ["outputDimensionality", snake("outputDimensionality")];
const places = ["", "/config", "/embedContentConfig"].flatMap((place) => [place, `/requests/0${place}`]);

export const facts: OperationFacts = {
  params: { dimensions: places.flatMap((place) => dimensions.map((name) => `${place}/${name}`)) },
  others: ["contents", "content", "requests", "config"],
};

/** `outputDimensionality`, above or inside of settings. */
export const dimensionsOf = ({ record, config, native }: EmbedItem): Json | undefined =>
  [record, config, native].map((place) => member(place, "outputDimensionality")).find(isSet);

const isSet = (value: Json | undefined): boolean => value !== undefined;

/** The parts of a content; text alone stands for one part. */
export function partsOf(content: Json | undefined): Json[] {
  if (typeof content === "string") return [{ text: content }];
  // A list of one content is how the same clients write a conversation of one turn.
  if (Array.isArray(content)) return partsOf(content[0]);
  return toArray(toObject(content).parts);
}
