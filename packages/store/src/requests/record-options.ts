import { isObject, type JsonObject } from "../engine/json-columns.ts";

/** The values of `RecordOptions.requests` and `replies`, from nothing to everything. */
export const KEPT_OF_REQUESTS = ["none", "metadata", "full"] as const;
type KeptPart = (typeof KEPT_OF_REQUESTS)[number];

/** How much of callers' requests and of the replies to them is kept, and for how long. */
export interface RecordOptions {
  /** The kept part of each request: nothing, its members without texts, or the whole request as forwarded. */
  requests: KeptPart;
  /** The kept part of each reply that is text: nothing, its parts without texts, or all of it. */
  replies: KeptPart;
  /** The most bytes kept of one reply. */
  replyBytes: number;
  /** The number of days for which requests and replies are kept. The generation records stay. */
  days: number;
  /** The most bytes kept for one account at one time: requests, replies, and answers for repeated requests. */
  quota: number;
}

/** The options of a store that is given none: whole requests for 30 days, 256 MiB for each account; no replies. */
export const defaultRecords: RecordOptions = {
  requests: "full",
  replies: "none",
  replyBytes: 64 * 1024,
  days: 30,
  quota: 256 * 1024 * 1024,
};

/** The kept part of a request, as JSON text. */
export function keptOf(request: JsonObject | string | undefined, { requests }: RecordOptions): string | null {
  if (request === undefined || requests === "none") return null;
  if (requests === "full") return typeof request === "string" ? request : JSON.stringify(request);
  return JSON.stringify(metadataOf(typeof request === "string" ? (JSON.parse(request) as unknown) : request));
}

/** The most members listed, and the form of their names: names are callers' text too. */
const MEMBERS = 64;
const NAME = /^\w{1,32}$/;

/** The members of an object without their texts: numbers, booleans, the text named `word`, and the size of all else. */
export function metadataOf(value: unknown, word = "model"): JsonObject {
  if (!isObject(value)) return {};
  const members = Object.entries(value).filter(([name]) => NAME.test(name));
  return Object.fromEntries(
    members.slice(0, MEMBERS).map(([name, inner]) => [name, summaryOf(inner, name === word)]),
  );
}

function summaryOf(value: unknown, isWord: boolean): unknown {
  if (typeof value === "string") return isWord ? value : `${value.length} characters`;
  if (Array.isArray(value)) return `${value.length} items`;
  if (isObject(value)) return `${Object.keys(value).length} members`;
  return value;
}
