import { type Finding, jsonType } from "../../check/finding.ts";
import { Refusal, type RefusalKind } from "../../refusal.ts";
import type { Chunk, ErrorAnswer } from "../protocol.ts";

const pathOf = (path: (string | number)[]): string =>
  path.reduce<string>(
    (text, step, index) =>
      typeof step === "number" ? `${text}[${step}]` : `${text}${index === 0 ? "" : "."}${step}`,
    "",
  );

function reason(finding: Finding): string {
  switch (finding.kind) {
    case "unknown":
      return "it is not supported";
    case "type":
      return `expected ${finding.expected}, got ${jsonType(finding.got)}`;
    case "value":
    case "tag":
      return `expected one of ${finding.allowed.join(", ")}, got ${String(finding.got)}`;
    case "above":
    case "below":
      return `${finding.of === "number" ? "the value" : "the length"} must be ${finding.kind === "above" ? "<=" : ">="} ${finding.limit}`;
    case "pattern":
      return `it does not match ${finding.pattern}`;
    case "other":
      return finding.message;
    case "missing":
      return "it is missing";
  }
}

/** A finding in this vendor's words. */
export function spell(finding: Finding): Refusal {
  const field = pathOf(finding.path);
  if (finding.kind === "missing")
    return new Refusal("invalid", `The request is missing the required parameter \`${field}\`.`, {
      field,
      code: "MissingParameter",
    });
  return bad(field, reason(finding));
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

export function breakOff(refusal: Refusal): Chunk {
  return { event: "error", data: { error: errorOf(refusal, "") } };
}
