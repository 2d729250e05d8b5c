import { isAscii, isUtf8 } from "node:buffer";
import { depthOf } from "@manifold/core";
import type { Exchange } from "./exchange.ts";
import { type Brief, type Encoding, isBriefObject } from "./inline.ts";
import { JsonBody } from "./json-body.ts";
import { holdsMedia, type Outline, outlineOf, parseOutline, wholeOf } from "./outline.ts";
import { Refusal } from "./refusal.ts";

/** Limits of a JSON body; sizes in bytes. */
export interface BodyLimits {
  /** Bodies without inline media. */
  text: number;
  /** Bodies with inline media. */
  media: number;
  depth: number;
  /** Members of one object, and items of all arrays together. */
  members: number;
  items: number;
}

export const bodyLimits: BodyLimits = {
  text: 4 * 1024 * 1024,
  media: 64 * 1024 * 1024,
  depth: 200,
  members: 10_000,
  items: 100_000,
};

/** For routes that take a few fields. */
export const smallBody: BodyLimits = { ...bodyLimits, text: 64 * 1024, media: 64 * 1024 };

const JSON_TYPE = /^(?:application\/(?:[\w.+-]+\+)?json|text\/plain)\s*(?:;|$)/i;

/** The JSON object in the body of a request; anything else is refused with the reason. */
export async function readJson(exchange: Exchange, limits: BodyLimits = bodyLimits): Promise<JsonBody> {
  const close = { headers: { connection: "close" } };
  const encoding = exchange.header("content-encoding");
  if (encoding !== undefined && encoding !== "identity")
    throw new Refusal(
      "unsupported_encoding",
      `The content encoding '${encoding.slice(0, 40)}' is not accepted; send identity.`,
      close,
    );
  const type = exchange.header("content-type");
  if (type !== undefined && !JSON_TYPE.test(type))
    throw new Refusal("unsupported_content_type", "The content type must be application/json.", close);
  const body = parseBody(toBuffer(await exchange.body(limits.media)), limits.text);
  inspect(body, limits);
  return body;
}

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/** The JSON object that bytes hold, `most` of them where there is no inline media; anything else is refused. */
export function parseBody(bytes: Buffer, most: number): JsonBody {
  const encoding = encodingOf(bytes);
  const marked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const plain = marked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
  const outline = outlineOf(plain, encoding);
  // Before it is parsed: a value takes many times the memory of its text.
  if (bytes.length > most && !holdsMedia(outline))
    throw new Refusal("body_too_large", `A request body without inline media may hold ${most} bytes.`);
  const read = parse(outline, () => wholeOf(plain, encoding));
  if (!isBriefObject(read.brief))
    throw new Refusal("invalid_json", "The request body must be a JSON object.");
  return new JsonBody(bytes, read.outline, read.brief);
}

function encodingOf(bytes: Buffer): Encoding {
  if (isAscii(bytes)) return "latin1";
  if (isUtf8(bytes)) return "utf8";
  throw new Refusal("invalid_json", "The request body is not valid UTF-8.");
}

/** The value of an outline. Where that is no JSON, the whole text is read: it tells where the error is. */
function parse(outline: Outline, whole: () => Outline): { outline: Outline; brief: Brief } {
  try {
    return { outline, brief: parseOutline(outline) };
  } catch (error) {
    if (outline.inlines.length > 0) return parse(whole(), whole);
    const where = /position \d+|line \d+ column \d+/.exec((error as Error).message)?.[0];
    throw new Refusal("invalid_json", `The request body is not valid JSON${where ? ` (at ${where})` : ""}.`);
  }
}

/** Refuses shapes that no honest client sends and that are costly or dangerous to handle. */
function inspect({ outline: { text }, brief }: JsonBody, limits: BodyLimits): void {
  if (depthOf(text) > limits.depth)
    throw new Refusal("body_too_complex", `The request body is nested deeper than ${limits.depth} levels.`);
  // Small bodies cannot reach the other limits, and names with this spelling are rare enough to walk for.
  if (text.length < limits.members * 4 && !/__proto__|\\u005f/i.test(text)) return;
  let items = 0;
  const walk = (node: Brief): void => {
    if (Array.isArray(node)) {
      items += node.length;
      if (items > limits.items)
        throw new Refusal(
          "body_too_complex",
          `The request body holds more than ${limits.items} array items.`,
        );
      for (const item of node) walk(item);
    } else if (isBriefObject(node)) {
      const names = Object.keys(node);
      if (names.length > limits.members)
        throw new Refusal(
          "body_too_complex",
          `An object in the request body has more than ${limits.members} members.`,
        );
      for (const name of names) {
        if (name === "__proto__")
          throw new Refusal("body_too_complex", "The member name '__proto__' is not accepted.");
        walk(node[name] as Brief);
      }
    }
  };
  walk(brief);
}
