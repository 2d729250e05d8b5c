import { filesOfAny, isToolValue, type JsonObject, namesOfAny, numberOf } from "@manifold-gateway/core/codec";
import type { JsonBody } from "../http/json-body.ts";
import { isLazyObject, LargeString, type LazyJson, type LazyObject } from "../http/lazy-json.ts";
import type { HoldFigures } from "../ports/limits.ts";

/** The tokens that a media part counts for in an estimate: about a large image. */
export const MEDIA = 1_600;
/** Bytes of a token in an estimate. */
export const TOKEN_BYTES = 4;
/** Bytes of a token of likely text. */
const LIKELY_BYTES = 3;
const DATA_URL = /^data:([^,;]{0,100})(?:;[^,]{0,100})?;base64,/;
/** From what length on a member called `data` may be a file. */
const LONG = 256;

/** The measures of a request. */
export interface Measure {
  /** Of text, in UTF-8: the values, without names and punctuation. */
  bytes: number;
  /** Of what is no text, as it is written. */
  media: number;
  images: number;
  /** Files that are no images, by their size in bytes; unbounded where only their address is known. */
  files: number[];
}

const ADDRESS = /^(https?|gs|s3|file):/i;
const toolData = namesOfAny("toolData");
const mediaTypes = namesOfAny("mediaTypes");
const pictures = namesOfAny("pictures");

/** Measures the text of a request, and the files that it holds or names. */
export function measure(value: LazyJson): Measure {
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
    const kind = filesOfAny.get(key);
    if (kind === undefined) leaf(node);
    else if (
      (kind === "base64" || kind === "typedBase64") &&
      (node instanceof LargeString || node.length > LONG)
    ) {
      const type = typeOf(record) ?? (kind === "base64" ? "" : undefined);
      if (type === undefined) leaf(node);
      else file(type, node);
    } else if (typeof node === "string" && (kind === "id" || (kind === "address" && ADDRESS.test(node)))) {
      if (isImage(record, key, parent)) found.images += 1;
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
          walk(child, key, tool || toolData.has(key) || isToolValue(node as JsonObject, key, parent));
        else if (tool) leaf(child);
        else member(node, key, child, parent);
      }
    }
  };
  walk(value, "", false);
  return found;
}

/** The media type of what stands beside it under `data`; nothing where nothing says that it is a file. */
function typeOf(record: LazyObject): string | undefined {
  if (record.type === "text") return "text/plain";
  for (const name of mediaTypes) if (typeof record[name] === "string") return record[name];
  return undefined;
}

/** Checks whether what has this address is shown as a picture. */
function isImage(record: LazyObject, key: string, parent: string): boolean {
  const type = typeOf(record) ?? "";
  return (
    pictures.has(key) ||
    pictures.has(parent) ||
    type.startsWith("image/") ||
    (typeof record.type === "string" && pictures.has(record.type))
  );
}

/**
 * More input tokens than a request will turn out to have: a figure for each picture, for each file its size in bytes up
 * to a figure, and for text a token for three bytes; where `strict`, one for each byte of the body that is no media, its
 * names and punctuation included, for no text has more.
 */
export function inputBound(
  { bytes: whole, brief }: Pick<JsonBody, "bytes" | "brief">,
  strict: boolean,
  figures: HoldFigures,
): number {
  const { bytes, media, images, files } = measure(brief);
  const inFiles = files.reduce((sum, size) => sum + Math.min(size, figures.fileTokens), 0);
  const text = strict ? whole.byteLength - media : Math.ceil(bytes / LIKELY_BYTES);
  return text + images * figures.imageTokens + inFiles;
}

/** The likely input tokens, for answers that came without usage: a token is four bytes. */
export const inputEstimate = (value: LazyJson): number => {
  const { bytes, images, files } = measure(value);
  return Math.ceil(bytes / TOKEN_BYTES) + (images + files.length) * MEDIA;
};

/** The largest positive number at some places of a request; servers read numbers written as text, too. */
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
