import type { Json, JsonObject } from "@manifold/core";
import type { BodyLimits } from "./body.ts";
import type { Exchange } from "./exchange.ts";
import { type JsonBody, toJsonBody } from "./json-body.ts";
import { quote, Refusal } from "./refusal.ts";

const FORM = /^multipart\/form-data\s*;/i;

/** Whether a request brings a form. */
export const isForm = (exchange: Exchange): boolean => FORM.test(exchange.header("content-type") ?? "");

/** `input_reference[image_url]`, or `image[]`. */
const NAME = /^([A-Za-z_]\w{0,63})(?:\[([A-Za-z_]\w{0,63})?\])?$/;
const MOST = 256;

/**
 * A multipart form as the JSON object that it stands for: `a[b]` is a member, `a[]` an item, and a file is
 * `{ data, mediaType, filename }` in base64. Numbers and truths come as text, as forms have them.
 */
export async function readForm(exchange: Exchange, limits: BodyLimits): Promise<JsonBody> {
  const bytes = await exchange.body(limits.media);
  const value = toObject(await fieldsOf(bytes, exchange.header("content-type") ?? ""));
  const filled: JsonObject = {};
  for (const [name, entry] of Object.entries(value)) filled[name] = await toJson(entry);
  return toJsonBody(filled);
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
  if (fields.length > MOST) throw new Refusal("invalid_form", `The form has more than ${MOST} fields.`);
  const object = new Map<string, Filled>();
  for (const [field, entry] of fields) {
    const [, name = "", member] = NAME.exec(field) ?? [];
    const known = object.get(name);
    const listed = field.endsWith("[]");
    const fits =
      known === undefined ||
      (listed ? Array.isArray(known) : member !== undefined && known instanceof Map && !known.has(member));
    if (name === "" || name === "__proto__" || !fits)
      throw new Refusal(
        "invalid_form",
        `The form's field ${quote(field)} cannot be read, or stands there twice.`,
      );
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
