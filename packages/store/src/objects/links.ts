import { createHmac, timingSafeEqual } from "node:crypto";
import { any, array, assertOptions, object, optional, string } from "@manifold-gateway/core/schema";
import { encodeStrictly, safeFilename } from "./disposition.ts";
import { assertTerms, isMediaType, isObjectKey } from "./key.ts";
import type { LinkTerms } from "./objects.ts";

/** A secret that signs links, and the short name by which a link refers to it. */
export interface LinkSecret {
  id: string;
  /** At least 32 bytes. */
  secret: string | Uint8Array;
}

export interface LinkOptions {
  /** The origin before the path: `https://gateway.example`. */
  base: string;
  /** The path at which the links are served. */
  path?: string;
  /** The first secret signs; all verify, so that an old one can be removed once its last link has expired. */
  secrets: readonly LinkSecret[];
}

/** What an opened link grants, or the reason why it was refused. */
export type OpenedLink = ({ ok: true; key: string } & LinkTerms) | { ok: false; why: "expired" | "refused" };

/** Links that only this deployment can make: `<base><path>/<key>?expires=…&secret=…&type=…&signature=…`. */
export interface Links {
  /** A signed link to the object. Throws `ObjectFault` for a key or terms that no link may have. */
  make(key: string, terms: LinkTerms, now: number): string;
  /** Checks a whole link, or its path and query as received. */
  open(link: string, now: number): OpenedLink;
}

const SECRET_BYTES = 32;
const LINK_LENGTH = 2_048;

/** Before a service listens, it may have no address. */
const address = string({
  pattern: /^(https?:\/\/[^?#]+)?$/,
  message: "must be an address with http: or https:",
});
const rules = object({
  base: address,
  path: optional(string({ pattern: /^\/[^?#]*[^/?#]$/, message: "must be a path, such as /api/objects" })),
  secrets: array(object({ id: string(), secret: any() })),
});

/**
 * Throws `TypeError` for options that are wrong, and `RangeError` for a short secret and for a duplicate or invalid name.
 */
export function createLinks(options: LinkOptions): Links {
  assertOptions("createLinks", rules, options);
  const { base, path = "/api/objects", secrets } = options;
  const prefix = `${base.replace(/(?<!\/)\/+$/, "")}${path}/`;
  const byId = new Map(secrets.map(({ id, secret }) => [id, secret]));
  const signer = secrets[0];
  if (!signer || byId.size !== secrets.length) throw new RangeError("links need secrets with different ids");
  for (const { id, secret } of secrets) {
    if (!/^[A-Za-z0-9]{1,16}$/.test(id))
      throw new RangeError(`a link secret's id has 1 to 16 letters and digits`);
    if (Buffer.byteLength(secret) < SECRET_BYTES)
      throw new RangeError(`link secret '${id}' is under 32 bytes`);
  }
  return {
    make(key, terms, now) {
      assertTerms(key, terms, now);
      return prefix + write(key, terms, signer.id, signer.secret);
    },
    open(link, now) {
      const start = [prefix, `${path}/`].find((one) => link.startsWith(one));
      if (start === undefined || link.length > LINK_LENGTH) return { ok: false, why: "refused" };
      const sent = link.slice(start.length);
      const read = parse(sent);
      const secret = read && byId.get(read.id);
      if (read === undefined || secret === undefined) return { ok: false, why: "refused" };
      // A link is valid only if it is, character for character, the one that this service would make: nothing can be
      // added, repeated, reordered or respelled.
      if (!equal(write(read.key, read.terms, read.id, secret), sent)) return { ok: false, why: "refused" };
      if (now >= read.terms.expires) return { ok: false, why: "expired" };
      return { ok: true, key: read.key, ...read.terms };
    },
  };
}

function write(key: string, terms: LinkTerms, id: string, secret: string | Uint8Array): string {
  const expires = String(Math.floor(terms.expires / 1000));
  const name = terms.filename === undefined ? "" : safeFilename(terms.filename);
  const signed = ["v1", "GET", key, expires, id, terms.mediaType, name].join("\n");
  const signature = createHmac("sha256", secret).update(signed).digest("base64url");
  const named = name === "" ? "" : `&name=${encodeStrictly(name)}`;
  const type = encodeStrictly(terms.mediaType);
  return `${key}?expires=${expires}&secret=${id}&type=${type}${named}&signature=${signature}`;
}

function parse(text: string): { key: string; terms: LinkTerms; id: string } | undefined {
  const [key = "", query = ""] = text.split("?", 2);
  const params = new URLSearchParams(query);
  const expires = params.get("expires") ?? "";
  const mediaType = params.get("type") ?? "";
  const filename = params.get("name") ?? undefined;
  if (!isObjectKey(key) || !/^\d{1,12}$/.test(expires) || !isMediaType(mediaType)) return undefined;
  return {
    key,
    terms: { expires: Number(expires) * 1000, mediaType, ...(filename !== undefined && { filename }) },
    id: params.get("secret") ?? "",
  };
}

function equal(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}
