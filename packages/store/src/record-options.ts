import { isObject, type JsonObject } from "./json.ts";

export const KEPT_OF_REQUESTS = ["none", "metadata", "full"] as const;

/** The rules for keeping what callers send. */
export interface RecordOptions {
  /** Of each request: nothing, what it is without its texts, or the request as the service hands it on. */
  requests: (typeof KEPT_OF_REQUESTS)[number];
  /** The number of days. The records themselves stay. */
  days: number;
  /** The most that is kept of one account at one time, in bytes: of its requests, and of answers to be repeated. */
  quota: number;
}

export const defaultRecords: RecordOptions = { requests: "full", days: 30, quota: 256 * 1024 * 1024 };

/** A request as JSON text, or what of it is kept. */
export function keptOf(request: JsonObject | string | undefined, { requests }: RecordOptions): string | null {
  if (request === undefined || requests === "none") return null;
  if (requests === "full") return typeof request === "string" ? request : JSON.stringify(request);
  return JSON.stringify(metadataOf(typeof request === "string" ? (JSON.parse(request) as unknown) : request));
}

/** The most members that are listed, and the longest name of one: names are callers' text too. */
const MEMBERS = 64;
const NAME = /^\w{1,32}$/;

/**
 * The members of a request without what is said in them: figures and switches, the model, and how much else there is.
 */
function metadataOf(request: unknown): JsonObject {
  if (!isObject(request)) return {};
  const members = Object.entries(request).filter(([name]) => NAME.test(name));
  return Object.fromEntries(members.slice(0, MEMBERS).map(([name, value]) => [name, brief(name, value)]));
}

function brief(name: string, value: unknown): unknown {
  if (typeof value === "string") return name === "model" ? value : `${value.length} characters`;
  if (Array.isArray(value)) return `${value.length} items`;
  if (isObject(value)) return `${Object.keys(value).length} members`;
  return value;
}
