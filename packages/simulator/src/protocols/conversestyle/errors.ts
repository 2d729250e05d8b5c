import { type Finding, jsonType } from "../../check/finding.ts";
import { Refusal, type RefusalKind } from "../../refusal.ts";
import type { Chunk, ErrorAnswer } from "../protocol.ts";

function messageOf(finding: Finding): string {
  switch (finding.kind) {
    case "unknown":
      return `extraneous key [${finding.key}] is not permitted`;
    case "missing":
      return "Member must not be null";
    case "type":
      return `Member must be a ${finding.expected}, not ${jsonType(finding.got)}`;
    case "value":
    case "tag":
      return `Member must satisfy enum value set: [${finding.allowed.join(", ")}]`;
    case "above":
    case "below": {
      const bound = finding.kind === "above" ? "less" : "greater";
      const what = finding.of === "number" ? "value" : "length";
      return `Member must have ${what} ${bound} than ${finding.inclusive ? "or equal to " : ""}${finding.limit}`;
    }
    case "pattern":
      return `Member must satisfy regular expression pattern: ${finding.pattern}`;
    case "other":
      return finding.message;
  }
}

/** A finding in this vendor's words. */
export function toRefusal(finding: Finding): Refusal {
  const field = finding.path.join(".");
  const reason = `Value at '${field}' failed to satisfy constraint: ${messageOf(finding)}`;
  return new Refusal("invalid", `1 validation error detected: ${reason}`, { field });
}

const EXCEPTIONS: Record<RefusalKind, string> = {
  invalid: "ValidationException",
  unauthenticated: "UnrecognizedClientException",
  forbidden: "AccessDeniedException",
  missing: "ResourceNotFoundException",
  tooLarge: "ValidationException",
  rateLimited: "ThrottlingException",
  internal: "InternalServerException",
  unavailable: "ServiceUnavailableException",
  overloaded: "ModelNotReadyException",
};

const STATUS: Partial<Record<RefusalKind, number>> = { unauthenticated: 403, overloaded: 429 };

/** This vendor names the exception in a header only. */
export function refuse({ kind, status, message, detail }: Refusal): ErrorAnswer {
  const { retryAfter } = detail;
  return {
    status: detail.status ?? STATUS[kind] ?? status,
    headers: {
      "x-amzn-errortype": `${EXCEPTIONS[kind]}:http://internal.amazon.com/coral/com.amazon.bedrock/`,
      ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    },
    body: { message },
  };
}

export function streamError({ kind, message }: Refusal): Chunk {
  const name = EXCEPTIONS[kind];
  return { event: name.charAt(0).toLowerCase() + name.slice(1), data: { message } };
}
