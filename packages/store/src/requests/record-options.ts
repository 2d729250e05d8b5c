import { isObject, type JsonObject } from "../engine/json-columns.ts";

/** The values of `RecordOptions.requests`, from nothing to everything. */
export const KEPT_OF_REQUESTS = ["none", "metadata", "full"] as const;

/** How much of callers' requests is kept, and for how long. */
export interface RecordOptions {
  /** The kept part of each request: nothing, its members without texts, or the whole request as forwarded. */
  requests: (typeof KEPT_OF_REQUESTS)[number];
  /** The number of days for which requests are kept. The generation records stay. */
  days: number;
  /** The most bytes kept for one account at one time: its requests, and answers for repeated requests. */
  quota: number;
}

/** The options of a store that is given none: whole requests for 30 days, 256 MiB of them for each account. */
export const defaultRecords: RecordOptions = { requests: "full", days: 30, quota: 256 * 1024 * 1024 };

/** The kept part of a request, as JSON text. */
export function keptOf(request: JsonObject | string | undefined, { requests }: RecordOptions): string | null {
  if (request === undefined || requests === "none") return null;
  if (requests === "full") return typeof request === "string" ? request : JSON.stringify(request);
  return JSON.stringify(metadataOf(typeof request === "string" ? (JSON.parse(request) as unknown) : request));
}

/** The most members listed, and the form of their names: names are callers' text too. */
const MEMBERS = 64;
const NAME = /^\w{1,32}$/;

/**
 * The members of a request without their texts: numbers, booleans and the model, and the size of all else.
 */
function metadataOf(request: unknown): JsonObject {
  if (!isObject(request)) return {};
  const members = Object.entries(request).filter(([name]) => NAME.test(name));
  return Object.fromEntries(members.slice(0, MEMBERS).map(([name, value]) => [name, summaryOf(name, value)]));
}

function summaryOf(name: string, value: unknown): unknown {
  if (typeof value === "string") return name === "model" ? value : `${value.length} characters`;
  if (Array.isArray(value)) return `${value.length} items`;
  if (isObject(value)) return `${Object.keys(value).length} members`;
  return value;
}
