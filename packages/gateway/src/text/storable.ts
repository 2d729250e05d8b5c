import type { JsonObject } from "@manifold/core";
import type { JsonBody } from "../http/body.ts";

/** The most characters of a request that its record keeps, and what cannot hold anything to take out. */
const LIMIT = 64 * 1024;
const SMALL = 1024;
const LONG_BASE64 = /[A-Za-z0-9+/_-]{1024,}={0,2}/g;
const URL_CREDENTIALS = /(https?:\/\/)[^\s"/@]+@/gi;

/** A request as its record may hold it: media cut short, credentials in URLs taken out, bounded. */
export function storable({ text, value }: JsonBody): JsonObject {
  let kept = text;
  if (text.length > SMALL)
    kept = kept.replace(LONG_BASE64, (data) => `${data.slice(0, 64)}…(${data.length} characters)`);
  if (kept.includes("@")) kept = kept.replace(URL_CREDENTIALS, "$1");
  if (kept.length > LIMIT) return { truncated: kept.slice(0, LIMIT / 2) };
  return kept === text ? value : (JSON.parse(kept) as JsonObject);
}
