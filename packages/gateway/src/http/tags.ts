import type { AnyCodec } from "@manifold-gateway/core";
import { isObject } from "@manifold-gateway/core/codec";
import type { Tags } from "@manifold-gateway/store";
import { z } from "zod";
import type { Labels } from "../ports/context.ts";
import type { Exchange } from "./exchange.ts";
import type { JsonBody } from "./json-body.ts";
import type { LazyJson } from "./lazy-json.ts";
import { quote, Refusal } from "./refusal.ts";

const MOST = 8;
const NAME = /^[a-z][a-z0-9_.-]{0,31}$/i;
const VALUE = /^[\w.:@/+-]{1,64}$/;
const LONGEST = MOST * 128;

const allowed = `it must be up to ${MOST} tags such as 'team=search, env=prod', each name once: a letter and up to 31 letters, digits, '_', '.' or '-'; each value 1 to 64 letters, digits or any of '_.:@/+-'`;

/**
 * Reads a list of tags. Returns a text if something is wrong with it. `sign` separates the name and the value of a
 * tag.
 */
function readTags(text: string, sign: "=" | ":"): Tags | string {
  if (text.length > LONGEST) return "the list is too long";
  const tags = new Map<string, string>();
  for (const item of text.split(",")) {
    const [name, value] = split(item.trim(), sign);
    if (!NAME.test(name) || !VALUE.test(value)) return `${quote(item.trim())} is not a tag`;
    if (tags.has(name)) return `${quote(name)} occurs twice`;
    tags.set(name, value);
  }
  return tags.size > MOST ? `there are ${tags.size} tags` : Object.fromEntries(tags);
}

function split(item: string, sign: string): [name: string, value: string] {
  const at = item.indexOf(sign);
  return at < 0 ? [item, ""] : [item.slice(0, at).trimEnd(), item.slice(at + 1).trimStart()];
}

/** Writes tags in the format of `x-tags`. */
export const writeTags = (tags: Tags): string =>
  Object.entries(tags)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");

/** The longest stored id of an end user; a longer one is cut. */
const USER = 256;
const none: Labels = {};

/**
 * Reads a request's labels for its record: `x-tags`, and the id of its end user if its protocol has a field for it.
 */
export function labelsOf(exchange: Pick<Exchange, "header">, codec?: AnyCodec, body?: JsonBody): Labels {
  const text = exchange.header("x-tags");
  const user = codec && body && userOf(codec, body);
  if (text === undefined && user === undefined) return none;
  const tags = text === undefined || text.trim() === "" ? undefined : readTags(text, "=");
  if (typeof tags === "string")
    throw new Refusal("invalid_header", `x-tags: ${tags}; ${allowed}.`, { param: "x-tags" });
  return { ...(tags && { tags }), ...(user !== undefined && { user }) };
}

/** The paths of the end user's id in each protocol. */
const places = new WeakMap<AnyCodec, readonly (readonly string[])[]>();

function userOf(codec: AnyCodec, { lazy }: JsonBody): string | undefined {
  let paths = places.get(codec);
  if (!paths) {
    const rows = codec.params.filter(({ name }) => name === "user");
    paths = rows.flatMap(({ wire, also = [] }) => [wire, ...also].map((path) => path.split(".")));
    places.set(codec, paths);
  }
  for (const path of paths) {
    let at: LazyJson | undefined = lazy;
    for (const name of path) at = isObject(at) ? (at as Record<string, LazyJson>)[name] : undefined;
    if (typeof at !== "string") continue;
    // Characters that a database or a header cannot hold are removed.
    const user = at
      .slice(0, USER)
      .toWellFormed()
      .replace(/\p{Cc}/gu, "")
      .trim();
    if (user !== "") return user;
  }
  return undefined;
}

const tagsIn = (most: number, requirement: string) =>
  z
    .string()
    .max(LONGEST)
    .transform((text, check) => {
      const tags = readTags(text, ":");
      if (typeof tags !== "string" && Object.keys(tags).length <= most) return tags;
      check.addIssue(`must be ${requirement}.`);
      return z.NEVER;
    });

/** Filters of records by their tags and end users. */
export const labelQuery = {
  tag: tagsIn(MOST, "a tag such as team:search, or several with commas between them")
    .optional()
    .describe("`team:search`; with several, separated by commas, records that have all of them."),
  user: z.string().max(USER).optional().describe("The id of an end user."),
};

/** Filters of sums by one tag. */
export const tagQuery = tagsIn(1, "one tag, such as team:search")
  .transform((tags) => Object.entries(tags).map(([name, value]) => ({ name, value }))[0]!)
  .optional()
  .describe("`team:search`: requests with this tag; not together with a split by a tag.");

/** The tag whose values split the sums, by its name. */
export const tagSplit = z
  .string()
  .regex(/^tag:[a-z][a-z0-9_.-]{0,31}$/i)
  .transform((text) => ({ tag: text.slice(4) }));
