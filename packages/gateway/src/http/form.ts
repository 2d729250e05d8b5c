import type { Protocols } from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import type { BodyLimits } from "./body.ts";
import type { Exchange } from "./exchange.ts";
import { type JsonBody, toJsonBody } from "./json-body.ts";
import { type BodyCounter, readDecoded } from "./packed-body.ts";
import { quote, Refusal } from "./refusal.ts";

const FORM = /^multipart\/form-data\s*;/i;

/** Checks whether the body of a request is a form. */
export const isForm = (exchange: Exchange): boolean => FORM.test(exchange.header("content-type") ?? "");

/** Names of fields, such as `input_reference[image_url]` or `image[]`. */
const NAME = /^([A-Za-z_]\w{0,63})(?:\[([A-Za-z_]\w{0,63})?\])?$/;
const MOST = 256;
const TOO_MANY = `The form has more than ${MOST} fields.`;

/**
 * Converts a multipart form to a JSON object: `a[b]` is a member, `a[]` an item, and a file becomes `{ data,
 * mediaType, filename }` with base64. Numbers and booleans stay text.
 */
export async function readForm(
  exchange: Exchange,
  limits: BodyLimits,
  counter: BodyCounter,
  protocols: Protocols,
): Promise<JsonBody> {
  const type = exchange.header("content-type") ?? "";
  const countParts = partCounter(type);
  const bytes = await readDecoded(exchange, limits.media, {
    addPacked: (piece) => counter.addPacked?.(piece),
    add(piece) {
      counter.add(piece);
      countParts(piece);
    },
  });
  const value = toObject(await fieldsOf(bytes, type));
  const filled: JsonObject = {};
  for (const [name, entry] of Object.entries(value)) filled[name] = await toJson(entry);
  return toJsonBody(filled, protocols);
}

const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;

/** Counts the parts of a form on arrival and refuses too many: thousands of small ones take seconds to parse. */
function partCounter(type: string): (piece: Uint8Array) => void {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined)
    throw new Refusal("invalid_form", "The content type of the form has no boundary of 1 to 70 characters.");
  const mark = Buffer.from(`--${boundary}`);
  // The last bytes are kept, since a boundary may be split between two pieces.
  let behind = Buffer.alloc(0);
  let found = 0;
  return (piece) => {
    const bytes = Buffer.concat([behind, piece]);
    let at = bytes.indexOf(mark);
    let after = 0;
    for (; at >= 0; at = bytes.indexOf(mark, after)) {
      after = at + mark.length;
      found += 1;
      // The last boundary closes the form.
      if (found > MOST + 1) throw new Refusal("invalid_form", TOO_MANY, { headers: { connection: "close" } });
    }
    behind = bytes.subarray(Math.max(after, bytes.length - mark.length + 1));
  };
}

async function fieldsOf(bytes: Uint8Array, type: string): Promise<[string, Entry][]> {
  try {
    const body = bytes as Uint8Array<ArrayBuffer>;
    const form = await new Response(body, { headers: { "content-type": type } }).formData();
    return [...form.entries()];
  } catch {
    throw new Refusal("invalid_form", "The request body is not a valid multipart form.");
  }
}

type Entry = string | File;
type Filled = Entry | Entry[] | Map<string, Entry>;

function toObject(fields: readonly [string, Entry][]): Record<string, Filled> {
  if (fields.length > MOST) throw new Refusal("invalid_form", TOO_MANY);
  const object = new Map<string, Filled>();
  for (const [field, entry] of fields) {
    const [, name = "", member] = NAME.exec(field) ?? [];
    const known = object.get(name);
    const listed = field.endsWith("[]");
    const fits =
      known === undefined ||
      (listed ? Array.isArray(known) : member !== undefined && known instanceof Map && !known.has(member));
    if (name === "" || name === "__proto__" || !fits)
      throw new Refusal("invalid_form", `The form's field ${quote(field)} cannot be read, or occurs twice.`);
    if (listed) object.set(name, [...((known as Entry[] | undefined) ?? []), entry]);
    else if (member !== undefined)
      object.set(name, new Map([...((known as Map<string, Entry>) ?? []), [member, entry]]));
    else object.set(name, entry);
  }
  return Object.fromEntries(object);
}

async function toJson(entry: Filled): Promise<Json> {
  if (typeof entry === "string") return entry;
  if (Array.isArray(entry)) return Promise.all(entry.map(toJson));
  if (entry instanceof Map) {
    const members = await Promise.all([...entry].map(async ([name, one]) => [name, await toJson(one)]));
    return Object.fromEntries(members) as JsonObject;
  }
  const data = Buffer.from(await entry.arrayBuffer()).toString("base64");
  return { data, mediaType: entry.type, filename: entry.name };
}
