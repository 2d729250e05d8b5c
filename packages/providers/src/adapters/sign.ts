import { createHash, createHmac } from "node:crypto";
import type { Service } from "./adapter.ts";

/** A call to sign. */
export interface Unsigned {
  method: "GET" | "POST";
  url: URL;
  body: string;
  /** Milliseconds since the epoch. */
  at: number;
}

const ALGORITHM = "HMAC-SHA256";
const TYPE = "application/json";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** Percent-encodes all but unreserved characters. */
const percent = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The headers of a signed call. The signature includes the URL's host, which the transport sends. */
export function sign(
  { method, url, body, at }: Unsigned,
  { accessKey, secretKey, region, service }: NonNullable<Service["signing"]>,
): Record<string, string> {
  const date = `${new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, "")}`;
  const hash = sha256(body);
  const headers = { "content-type": TYPE, "x-content-sha256": hash, "x-date": date };
  const signed = Object.entries({ ...headers, host: url.host }).sort(byName);
  const names = signed.map(([name]) => name).join(";");
  const query = [...url.searchParams]
    .map(([name, value]) => [percent(name), percent(value)] as const)
    .sort(byName)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join("");
  const canonical = [method, url.pathname, query, lines, names, hash].join("\n");
  const day = date.slice(0, 8);
  const scope = `${day}/${region}/${service}/request`;
  const text = [ALGORITHM, date, scope, sha256(canonical)].join("\n");
  const key = [region, service, "request"].reduce(hmac, hmac(secretKey, day));
  const signature = hmac(key, text).toString("hex");
  return {
    ...headers,
    authorization: `${ALGORITHM} Credential=${accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
