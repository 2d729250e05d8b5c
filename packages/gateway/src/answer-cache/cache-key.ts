import { hash } from "node:crypto";
import { isObject, type Json, type JsonObject } from "@manifold-gateway/core/codec";
import type { CacheKey } from "../ports/answer-cache.ts";
import type { Model } from "../ports/catalog.ts";
import type { LossPolicy } from "../ports/context.ts";

/** Everything that can change the answer to a request. */
export interface CacheKeySource {
  account: string;
  /** The model with its revision: another price, entry or limit makes it another model. */
  model: Pick<Model, "id" | "revision">;
  /** The caller's name for it, which may be in the answer. */
  name: string;
  /** The caller's protocol, and the form of its streams. */
  protocol: string;
  stream: boolean;
  form: string;
  losses: LossPolicy;
  /** The caller's headers that are forwarded to providers. */
  headers: Readonly<Record<string, string>>;
  body: JsonObject;
}

/**
 * The cache key of a request. Two requests have the same key only if they are of one account and equal in every member;
 * the order of members, spaces and escapes make no difference.
 */
export function cacheKey({ account, model, body, ...rest }: CacheKeySource): CacheKey {
  const basis = { ...rest, model: model.id, revision: model.revision, body };
  return { account, hash: hash("sha256", canonicalText(basis as unknown as Json), "base64url") };
}

/** JSON text that is the same for equal values. The depth of bodies is limited where they are read. */
function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .filter((name) => value[name] !== undefined)
    .map((name) => `${JSON.stringify(name)}:${canonicalText(value[name] as Json)}`);
  return `{${members.join()}}`;
}
