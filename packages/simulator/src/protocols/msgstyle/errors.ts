import type { Finding } from "../../check/finding.ts";
import { Refusal, type RefusalKind } from "../../refusal.ts";
import type { Chunk, ErrorAnswer } from "../protocol.ts";

const EXPECTED: Record<string, string> = {
  int: "Input should be a valid integer",
  number: "Input should be a valid number",
  array: "Input should be a valid list",
  object: "Input should be a valid dictionary",
  record: "Input should be a valid dictionary",
  string: "Input should be a valid string",
  boolean: "Input should be a valid boolean",
};

const quoted = (values: string[]): string => {
  const all = values.map((value) => `'${value}'`);
  return all.length > 1 ? `${all.slice(0, -1).join(", ")} or ${all.at(-1)}` : (all[0] ?? "");
};

function messageOf(finding: Finding): string {
  switch (finding.kind) {
    case "unknown":
      return "Extra inputs are not permitted";
    case "missing":
      return "Field required";
    case "type":
      return finding.expected
        .split(" or ")
        .map((type) => EXPECTED[type] ?? `Input should be ${type}`)
        .join(" or ");
    case "value":
      return `Input should be ${quoted(finding.allowed)}`;
    case "tag": {
      const allowed = finding.allowed.map((value) => `'${value}'`).join(", ");
      return `Input tag '${String(finding.got)}' found using '${finding.tag}' does not match any of the expected tags: ${allowed}`;
    }
    case "above":
    case "below": {
      const { kind, limit, inclusive, of } = finding;
      if (of === "number") {
        const word = kind === "above" ? "less" : "greater";
        return `Input should be ${word} than ${inclusive ? "or equal to " : ""}${limit}`;
      }
      const bound = kind === "above" ? "at most" : "at least";
      return of === "array"
        ? `List should have ${bound} ${limit} item${limit === 1 ? "" : "s"} after validation`
        : `String should have ${bound} ${limit} character${limit === 1 ? "" : "s"}`;
    }
    case "pattern":
      return `String should match pattern '${finding.pattern}'`;
    case "other":
      return finding.message;
  }
}

/** A finding in this vendor's words: the path, dotted, and what the validator says. */
export function toRefusal(finding: Finding): Refusal {
  const path = finding.kind === "tag" ? finding.path.slice(0, -1) : finding.path;
  const field = path.join(".");
  return new Refusal("invalid", `${field}: ${messageOf(finding)}`, { field });
}

const TYPES: Record<RefusalKind, string> = {
  invalid: "invalid_request_error",
  unauthenticated: "authentication_error",
  forbidden: "permission_error",
  missing: "not_found_error",
  tooLarge: "request_too_large",
  rateLimited: "rate_limit_error",
  internal: "api_error",
  unavailable: "api_error",
  overloaded: "overloaded_error",
};

const errorOf = ({ kind, message }: Refusal): unknown => ({ type: TYPES[kind], message });

export function refuse(refusal: Refusal, hash: string): ErrorAnswer {
  const id = `req_${hash.slice(0, 24)}`;
  const { retryAfter } = refusal.detail;
  return {
    status: refusal.status,
    headers: { "request-id": id, ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }) },
    body: { type: "error", error: errorOf(refusal), request_id: id },
  };
}

export function streamError(refusal: Refusal): Chunk {
  return { event: "error", data: { type: "error", error: errorOf(refusal) } };
}
