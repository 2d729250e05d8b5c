import { createHash, createHmac } from "node:crypto";
import { Refusal } from "../refusal.ts";
import type { MediaCall } from "./protocol.ts";

/** Requests that are signed with an access key's secret instead of carrying a key. */

const FORM =
  /^HMAC-SHA256 Credential=([^/,\s]+)\/(\d{8})\/([^/]+)\/([^/]+)\/request,\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})$/;
const WINDOW = 15 * 60_000;
const REQUIRED = ["host", "x-date", "x-content-sha256"];

const sha = (data: Buffer | string): string => createHash("sha256").update(data).digest("hex");
const mac = (key: Buffer | string, data: string): Buffer => createHmac("sha256", key).update(data).digest();

/** The access key that a request says it is signed with. */
export function accessKey(headers: Record<string, string>): string | undefined {
  return headers.authorization?.match(/^HMAC-SHA256 Credential=([^/,\s]+)\//)?.[1];
}

const bad = (message: string, code = "SignatureDoesNotMatch"): Refusal =>
  new Refusal("unauthenticated", message, { code });

const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

function canonicalQuery(query: URLSearchParams): string {
  return [...query.entries()]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join("&");
}

function timeOf(date: string): number {
  const [, y, m, d, h, min, s] = date.match(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/) ?? [];
  return y ? Date.UTC(Number(y), Number(m) - 1, Number(d), Number(h), Number(min), Number(s)) : Number.NaN;
}

/** Refuses a request whose signature is not what its parts, its time and its secret come to. */
export function verify(call: MediaCall, service: string): void {
  const { headers, url, method, bytes, now } = call;
  const parts = headers.authorization?.match(FORM);
  if (!parts) throw bad("The Authorization header is not a valid signature.", "InvalidAuthorization");
  const [, key = "", day = "", region = "", named = "", list = "", signature] = parts;
  const date = headers["x-date"] ?? "";
  const signed = list.split(";");
  const absent = REQUIRED.find((name) => !signed.includes(name));
  if (absent) throw bad(`The header ${absent} must be signed.`, "InvalidAuthorization");
  if (named !== service)
    throw bad(`The service in the credential scope must be ${service}.`, "InvalidCredential");
  if (!date.startsWith(day))
    throw bad("The date in the credential scope is not that of X-Date.", "InvalidCredential");
  if (!(Math.abs(timeOf(date) - now) <= WINDOW)) throw bad("X-Date is too far from now.", "RequestExpired");
  const hash = sha(bytes);
  if (headers["x-content-sha256"] !== hash) throw bad("X-Content-Sha256 is not the body's digest.");
  const secret = call.secret(key);
  if (secret === undefined) throw bad("The access key does not exist.", "InvalidAccessKey");
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url.searchParams),
    ...signed.map((name) => `${name}:${(headers[name] ?? "").trim()}`),
    "",
    list,
    hash,
  ].join("\n");
  const scope = `${day}/${region}/${service}/request`;
  const signing = [day, region, service, "request"].reduce<Buffer | string>(
    (one, step) => mac(one, step),
    secret,
  );
  const expected = mac(signing, ["HMAC-SHA256", date, scope, sha(canonical)].join("\n")).toString("hex");
  if (expected !== signature)
    throw bad("The request signature we calculated does not match the signature you provided.");
}
