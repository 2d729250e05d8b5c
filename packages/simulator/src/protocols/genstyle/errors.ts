import { type Finding, jsonType } from "../../check/finding.ts";
import { Refusal, type RefusalKind } from "../../refusal.ts";
import type { Chunk, ErrorAnswer } from "../protocol.ts";

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Paths are spelled in the proto's own names; keys of maps stay as they are. */
function fieldPath(path: (string | number)[]): string {
  return path.reduce<string>((text, step, index) => {
    if (typeof step === "number") return `${text}[${step}]`;
    if (path[index - 1] === "properties") return `${text}[${step}]`;
    return index === 0 ? snake(step) : `${text}.${snake(step)}`;
  }, "");
}

const TYPES: Record<string, string> = {
  int: "TYPE_INT32",
  number: "TYPE_FLOAT",
  string: "TYPE_STRING",
  boolean: "TYPE_BOOL",
  object: "message",
  array: "repeated",
  record: "map",
};

function messageOf(finding: Finding, field: string): string {
  switch (finding.kind) {
    case "unknown": {
      const at = fieldPath(finding.path.slice(0, -1));
      return `Invalid JSON payload received. Unknown name "${finding.key}"${at ? ` at '${at}'` : ""}: Cannot find field.`;
    }
    case "missing":
      return `* GenerateContentRequest.${field}: ${finding.path.at(-1)} is not specified`;
    case "type":
      return `Invalid value at '${field}' (${TYPES[finding.expected] ?? finding.expected}), expected it instead of ${jsonType(finding.got)}`;
    case "value":
    case "tag":
      return `Invalid value at '${field}' (TYPE_ENUM), "${String(finding.got)}". Allowed: ${finding.allowed.join(", ")}`;
    case "above":
    case "below": {
      const { kind, limit, inclusive, of } = finding;
      if (of === "array" && kind === "below")
        return `* GenerateContentRequest.${field}: ${field} is not specified`;
      const bound = `${kind === "above" ? "at most" : "at least"} ${limit}${inclusive ? "" : " (exclusive)"}`;
      return `* GenerateContentRequest.${field}: must be ${bound}${of === "number" ? "" : ` long`}`;
    }
    case "pattern":
      return `* GenerateContentRequest.${field}: does not match ${finding.pattern}`;
    case "other":
      return `Invalid value at '${field}': ${finding.message}`;
  }
}

/** A finding in this vendor's words. */
export function toRefusal(finding: Finding): Refusal {
  const field = fieldPath(finding.path);
  return new Refusal("invalid", messageOf(finding, field), { field });
}

const STATUS: Record<RefusalKind, string> = {
  invalid: "INVALID_ARGUMENT",
  unauthenticated: "UNAUTHENTICATED",
  forbidden: "PERMISSION_DENIED",
  missing: "NOT_FOUND",
  tooLarge: "INVALID_ARGUMENT",
  rateLimited: "RESOURCE_EXHAUSTED",
  internal: "INTERNAL",
  unavailable: "UNAVAILABLE",
  overloaded: "UNAVAILABLE",
};

function errorOf({ kind, message, status, detail }: Refusal): unknown {
  const details = [
    ...(detail.field === undefined
      ? []
      : [
          {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            fieldViolations: [{ field: detail.field, description: message }],
          },
        ]),
    ...(detail.retryAfter === undefined
      ? []
      : [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${detail.retryAfter}s` }]),
  ];
  return { code: status, message, status: STATUS[kind], ...(details.length > 0 ? { details } : {}) };
}

/** This vendor says when to retry in the body only. */
export function refuse(refusal: Refusal): ErrorAnswer {
  const status = refusal.kind === "overloaded" ? 503 : refusal.status;
  return { status, headers: {}, body: { error: errorOf(refusal) } };
}

export function streamError(refusal: Refusal): Chunk {
  return { data: { error: errorOf(refusal) } };
}
