import { createHash, createHmac } from "node:crypto";

/** A request as it arrived: the raw target, and headers by lower-case name. */
export interface Signed {
  method: string;
  target: string;
  headers: Record<string, string | undefined>;
}

export interface Owner {
  accessKeyId: string;
  secretAccessKey: string;
}

const ALGORITHM = "AWS4-HMAC-SHA256";
const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Uint8Array, data: string): Buffer =>
  createHmac("sha256", key).update(data).digest();
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
const toTime = (stamp: string): number =>
  Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));

/**
 * Judges a version 4 signature in headers or in the query, as a bucket does: `undefined` where it is good, else
 * the error code that the bucket answers. A signed body must have the hash that was signed.
 */
export function judge(request: Signed, body: Uint8Array, owner: Owner, now: number): string | undefined {
  const [path = "", search = ""] = request.target.split("?", 2);
  const params = [...new URLSearchParams(search)];
  const query = new Map(params);
  const presigned = query.has("X-Amz-Signature");
  const given = presigned ? fromQuery(query) : fromHeaders(request.headers);
  if (!given) return "AccessDenied";
  const { credential, signedHeaders, signature, stamp, payload } = given;
  const [id, day = "", region = "", service = "", end] = credential.split("/");
  if (id !== owner.accessKeyId || service !== "s3" || end !== "aws4_request" || !stamp.startsWith(day))
    return "InvalidAccessKeyId";
  const age = now - toTime(stamp);
  const life = presigned ? Number(query.get("X-Amz-Expires")) * 1000 : 15 * 60_000;
  if (!(age < life && age > -15 * 60_000)) return presigned ? "AccessDenied" : "RequestTimeTooSkewed";
  if (!signedHeaders.includes("host")) return "AccessDenied";
  const canonical = [
    request.method,
    path,
    params
      .filter(([name]) => name !== "X-Amz-Signature")
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join("&"),
    ...signedHeaders.map((name) => `${name}:${(request.headers[name] ?? "").trim().replace(/ +/g, " ")}`),
    "",
    signedHeaders.join(";"),
    payload,
  ].join("\n");
  const scope = [day, region, service, end].join("/");
  const key = [day, region, service, "aws4_request"].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${owner.secretAccessKey}`,
  );
  const expected = hmac(key, [ALGORITHM, stamp, scope, sha256(canonical)].join("\n")).toString("hex");
  if (signature !== expected) return "SignatureDoesNotMatch";
  if (payload !== "UNSIGNED-PAYLOAD" && payload !== sha256(body)) return "XAmzContentSHA256Mismatch";
  return undefined;
}

function fromQuery(query: Map<string, string>) {
  if (query.get("X-Amz-Algorithm") !== ALGORITHM) return undefined;
  return {
    credential: query.get("X-Amz-Credential") ?? "",
    signedHeaders: (query.get("X-Amz-SignedHeaders") ?? "").split(";"),
    signature: query.get("X-Amz-Signature") ?? "",
    stamp: query.get("X-Amz-Date") ?? "",
    payload: "UNSIGNED-PAYLOAD",
  };
}

function fromHeaders(headers: Record<string, string | undefined>) {
  const match = /^AWS4-HMAC-SHA256 Credential=(\S+), ?SignedHeaders=(\S+), ?Signature=(\w+)$/.exec(
    headers.authorization ?? "",
  );
  if (!match) return undefined;
  const [, credential = "", names = "", signature = ""] = match;
  return {
    credential,
    signedHeaders: names.split(";"),
    signature,
    stamp: headers["x-amz-date"] ?? "",
    payload: headers["x-amz-content-sha256"] ?? "",
  };
}
