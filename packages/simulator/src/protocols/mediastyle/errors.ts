import { explain } from "../../check/explain.ts";
import type { Finding } from "../../check/finding.ts";
import { Refusal, type RefusalKind } from "../../refusal.ts";
import type { Chunk, ErrorAnswer } from "../protocol.ts";

/** A finding in this vendor's words. */
export function toRefusal(finding: Finding): Refusal {
  const { field, why } = explain(finding);
  if (finding.kind === "missing")
    return new Refusal("invalid", `The request is missing the required parameter \`${field}\`.`, {
      field,
      code: "MissingParameter",
    });
  return bad(field, why);
}

/** A field that is not what it may be. */
export function bad(field: string, why: string, code = "InvalidParameter"): Refusal {
  return new Refusal("invalid", `The parameter \`${field}\` specified in the request is not valid: ${why}.`, {
    field,
    code,
  });
}

const CODES: Record<RefusalKind, [code: string, type: string]> = {
  invalid: ["InvalidParameter", "BadRequest"],
  unauthenticated: ["AuthenticationError", "Unauthorized"],
  forbidden: ["AccessDenied", "Forbidden"],
  missing: ["InvalidEndpoint.NotFound", "NotFound"],
  tooLarge: ["RequestBodyTooLarge", "BadRequest"],
  rateLimited: ["RateLimitExceeded.EndpointRPMExceeded", "TooManyRequests"],
  internal: ["InternalServiceError", "InternalServerError"],
  unavailable: ["ServerOverloaded", "TooManyRequests"],
  overloaded: ["ServerOverloaded", "TooManyRequests"],
};

function errorOf({ kind, message, detail }: Refusal, hash: string): Record<string, unknown> {
  const [code, type] = CODES[kind];
  const id = hash === "" ? "" : ` Request id: ${hash.slice(0, 36)}`;
  return { code: detail.code ?? code, message: `${message}${id}`, param: detail.field ?? "", type };
}

export function refuse(refusal: Refusal, hash: string): ErrorAnswer {
  const { retryAfter } = refusal.detail;
  return {
    status: refusal.status,
    headers: {
      "x-request-id": hash.slice(0, 36),
      ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    },
    body: { error: errorOf(refusal, hash) },
  };
}

export function streamError(refusal: Refusal): Chunk {
  return { event: "error", data: { error: errorOf(refusal, "") } };
}
