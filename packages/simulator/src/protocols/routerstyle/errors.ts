import { explain } from "../../check/explain.ts";
import type { Finding } from "../../check/finding.ts";
import { Refusal } from "../../refusal.ts";
import type { Chunk, ErrorAnswer } from "../protocol.ts";

export function toRefusal(finding: Finding): Refusal {
  const { field, why } = explain(finding);
  return bad(field, why);
}

export const bad = (field: string, why: string): Refusal => new Refusal("invalid", `${field}: ${why}`);

const MODERATION = "moderation";

/** The code is the HTTP status; what moderation takes out is forbidden. */
function errorOf({ status, message, detail }: Refusal): Record<string, unknown> {
  const code = detail.code === MODERATION ? 403 : status;
  const metadata = code === 403 ? { metadata: { reasons: ["flagged"], provider_name: "sim" } } : {};
  return { code, message, ...metadata };
}

export function refuse(refusal: Refusal): ErrorAnswer {
  const error = errorOf(refusal);
  const { retryAfter } = refusal.detail;
  return {
    status: Number(error.code),
    headers: retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
    body: { error },
  };
}

export function streamError(refusal: Refusal): Chunk {
  return { data: { type: "error", error: errorOf(refusal) } };
}

export const ERRORS = { moderation: MODERATION, internal: "internal" };
