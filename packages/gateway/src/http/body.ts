import { isAscii, isUtf8 } from "node:buffer";
import { protocols as libraryProtocols, type Protocols } from "@manifold-gateway/core";
import { tooMuchText } from "./body-refusals.ts";
import type { Exchange } from "./exchange.ts";
import { JsonBody } from "./json-body.ts";
import { type Encoding, isLazyObject, type LazyJson } from "./lazy-json.ts";
import { Refusal } from "./refusal.ts";
import { parseSkeleton, type Skeleton, skeletonOf, textOf, wholeOf } from "./skeleton.ts";

/** Limits of a JSON body; sizes in bytes. */
export interface BodyLimits {
  /** The text between inline media. */
  text: number;
  /** The whole body. */
  media: number;
  depth: number;
  /** Members of one object. */
  members: number;
  /** Members of all objects and items of all arrays together. */
  values: number;
}

export const bodyLimits: BodyLimits = {
  text: 4 * 1024 * 1024,
  media: 64 * 1024 * 1024,
  depth: 200,
  members: 10_000,
  values: 100_000,
};

/** Limits for routes that take a few fields. */
export const smallBody: BodyLimits = { ...bodyLimits, text: 64 * 1024, media: 64 * 1024 };

const CLOSE = { headers: { connection: "close" } };
const JSON_TYPE = /^(?:application\/(?:[\w.+-]+\+)?json|text\/plain)\s*(?:;|$)/i;

const wrongType = (): Refusal =>
  new Refusal("unsupported_content_type", "The content type must be application/json.", CLOSE);

/** Refuses a request without the content type of JSON. */
export function requireJsonType(exchange: Exchange): void {
  if (!/^application\/json\s*(?:;|$)/i.test(exchange.header("content-type") ?? "")) throw wrongType();
}

/** Refuses a body of a type that is not read as JSON. */
export function refuseOtherTypes(exchange: Pick<Exchange, "header">): void {
  const type = exchange.header("content-type");
  if (type !== undefined && !JSON_TYPE.test(type)) throw wrongType();
}

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/** Parses bytes as a JSON object. Refuses anything else, and more than `most` bytes outside inline media. */
export function parseBody(bytes: Buffer, most: number, protocols: Protocols = libraryProtocols): JsonBody {
  const encoding = encodingOf(bytes);
  const isMarked = encoding === "utf8" && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const plain = isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
  const skeleton = skeletonOf(plain, encoding);
  // Checked before parsing, because a value takes many times the memory of its text.
  if (bytes.length > most && textOf(skeleton, protocols) > most) throw tooMuchText(most);
  const read = parse(skeleton, () => wholeOf(plain, encoding), protocols);
  if (!isLazyObject(read.lazy)) throw new Refusal("invalid_json", "The request body must be a JSON object.");
  return new JsonBody(bytes, read.skeleton, read.lazy, protocols);
}

function encodingOf(bytes: Buffer): Encoding {
  if (isAscii(bytes)) return "latin1";
  if (isUtf8(bytes)) return "utf8";
  throw new Refusal("invalid_json", "The request body is not valid UTF-8.");
}

/** The value of a skeleton. If that is invalid JSON, the whole text is parsed to find the place of the error. */
function parse(
  skeleton: Skeleton,
  whole: () => Skeleton,
  protocols: Protocols,
): { skeleton: Skeleton; lazy: LazyJson } {
  try {
    return { skeleton, lazy: parseSkeleton(skeleton, protocols) };
  } catch (error) {
    if (skeleton.largeStrings.length > 0) return parse(whole(), whole, protocols);
    const where = /position \d+|line \d+ column \d+/.exec((error as Error).message)?.[0];
    throw new Refusal("invalid_json", `The request body is not valid JSON${where ? ` (at ${where})` : ""}.`);
  }
}

/** Refuses members with the name of an object's prototype. */
export function refusePrototypes({ skeleton: { text }, lazy }: JsonBody): void {
  // Only a text with the name, written with or without escapes, is searched.
  if (!text.includes("__proto__") && !text.includes("\\u00")) return;
  const walk = (node: LazyJson): void => {
    if (Array.isArray(node)) for (const item of node) walk(item);
    else if (isLazyObject(node))
      for (const name of Object.keys(node)) {
        if (name === "__proto__")
          throw new Refusal("body_too_complex", "The member name '__proto__' is not accepted.");
        walk(node[name] as LazyJson);
      }
  };
  walk(lazy);
}
