import { type JsonObject, numberOf, type Wires } from "@manifold-gateway/core/codec";
import type { JsonBody } from "../http/json-body.ts";
import { isLazyObject, LargeString, type LazyJson, type LazyObject } from "../http/lazy-json.ts";
import type { HoldFigures } from "../ports/limits.ts";

/** The tokens of a media part in an estimate: about those of a large image. */
export const MEDIA = 1_600;
/** The bytes of a token in an estimate. */
export const TOKEN_BYTES = 4;
/** The bytes of a token in a hold, which must rather be too high. */
const LIKELY_BYTES = 3;
const DATA_URL = /^data:([^,;]{0,100})(?:;[^,]{0,100})?;base64,/;
/** The length from which a member such as `data` may be a file. */
const LONG = 256;

/** The measures of a request. */
export interface Measure {
  /** Bytes of text in UTF-8: the values, without names and punctuation. */
  bytes: number;
  /** Bytes of media, as written in the body. */
  media: number;
  images: number;
  /** The sizes of other files than images, in bytes; infinite if only the address is known. */
  files: number[];
}

const ADDRESS = /^(https?|gs|s3|file):/i;

/** Measures the text of a request, and the files that it holds or names. */
export function measure(value: LazyJson, protocols: Wires): Measure {
  const toolData = protocols.namesOf("toolData");
  const found: Measure = { bytes: 0, media: 0, images: 0, files: [] };
  const text = (node: string | LargeString): void => {
    found.bytes += typeof node === "string" ? Buffer.byteLength(node) : node.bytes.length;
  };
  const file = (type: string | undefined, node: string | LargeString): void => {
    const length = typeof node === "string" ? node.length : node.bytes.length;
    if (type?.startsWith("text/")) text(node);
    else found.media += length;
    if (type?.startsWith("image/")) found.images += 1;
    else if (!type?.startsWith("text/")) found.files.push(Math.ceil((length * 3) / 4));
  };
  const leaf = (node: string | LargeString): void => {
    const head = typeof node === "string" ? node : node.head;
    const [mark, type] = head.startsWith("data:") ? (DATA_URL.exec(head) ?? []) : [];
    if (mark === undefined) text(node);
    else file(type, node);
  };
  const member = (record: LazyObject, key: string, node: string | LargeString, parent: string): void => {
    const kind = protocols.files.get(key);
    if (kind === undefined) leaf(node);
    else if (
      (kind === "base64" || kind === "typedBase64") &&
      (node instanceof LargeString || node.length > LONG)
    ) {
      const type = typeOf(record, protocols) ?? (kind === "base64" ? "" : undefined);
      if (type === undefined) leaf(node);
      else file(type, node);
    } else if (typeof node === "string" && (kind === "id" || (kind === "address" && ADDRESS.test(node)))) {
      if (isImage(record, key, parent, protocols)) found.images += 1;
      else found.files.push(Number.POSITIVE_INFINITY);
    } else leaf(node);
  };
  const walk = (node: LazyJson, parent: string, tool: boolean): void => {
    if (typeof node === "string" || node instanceof LargeString) leaf(node);
    else if (Array.isArray(node)) for (const item of node) walk(item, parent, tool);
    else if (isLazyObject(node)) {
      for (const key in node) {
        const child = node[key] as LazyJson;
        const isLeaf = typeof child === "string" || child instanceof LargeString;
        if (!isLeaf)
          walk(
            child,
            key,
            tool || toolData.has(key) || protocols.isToolValue(node as JsonObject, key, parent),
          );
        else if (tool) leaf(child);
        else member(node, key, child, parent);
      }
    }
  };
  walk(value, "", false);
  return found;
}

/** The media type of a record's file; undefined if no member marks it as a file. */
function typeOf(record: LazyObject, protocols: Wires): string | undefined {
  if (record.type === "text") return "text/plain";
  for (const name of protocols.namesOf("mediaTypes"))
    if (typeof record[name] === "string") return record[name];
  return undefined;
}

/** Checks whether the file at an address is an image. */
function isImage(record: LazyObject, key: string, parent: string, protocols: Wires): boolean {
  const pictures = protocols.namesOf("pictures");
  const type = typeOf(record, protocols) ?? "";
  return (
    pictures.has(key) ||
    pictures.has(parent) ||
    type.startsWith("image/") ||
    (typeof record.type === "string" && pictures.has(record.type))
  );
}

/**
 * An upper bound for the input tokens of a request: a fixed figure for each image, the size in bytes of each file up to
 * a figure, and a token for every three bytes of text. If `strict`, a token for each byte of the body outside media,
 * with names and punctuation: no text has more tokens than bytes.
 */
export function inputBound(
  { bytes: whole, lazy, protocols }: Pick<JsonBody, "bytes" | "lazy" | "protocols">,
  strict: boolean,
  figures: HoldFigures,
): number {
  const { bytes, media, images, files } = measure(lazy, protocols);
  const inFiles = files.reduce((sum, size) => sum + Math.min(size, figures.fileTokens), 0);
  const text = strict ? whole.byteLength - media : Math.ceil(bytes / LIKELY_BYTES);
  return text + images * figures.imageTokens + inFiles;
}

/** The likely input tokens, for answers without usage: one for every four bytes. */
export const inputEstimate = ({ lazy, protocols }: Pick<JsonBody, "lazy" | "protocols">): number => {
  const { bytes, images, files } = measure(lazy, protocols);
  return Math.ceil(bytes / TOKEN_BYTES) + (images + files.length) * MEDIA;
};

/** The largest positive number at some places of a request. Numbers in strings count, since servers read them. */
export function largestAt(value: LazyJson, places: readonly (readonly string[])[]): number | undefined {
  let largest: number | undefined;
  for (const place of places) {
    let node: LazyJson | undefined = value;
    for (const key of place) node = node !== undefined && isLazyObject(node) ? node[key] : undefined;
    const number = typeof node === "string" ? Number(node.trim() || Number.NaN) : numberOf(node as never);
    if (number !== undefined && number > (largest ?? 0)) largest = number;
  }
  return largest;
}
