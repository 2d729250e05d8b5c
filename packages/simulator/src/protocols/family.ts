import { type Finding, jsonType } from "../check/finding.ts";
import { decodeBase64, readDataUrl, sniff } from "../check/media.ts";
import type { Media } from "../content/request-content.ts";
import { Refusal, type RefusalKind } from "../refusal.ts";
import type { ErrorAnswer } from "./protocol.ts";

/** Code that chatstyle and responses share: field paths, error messages and the forms of media. */

function fieldPath(path: (string | number)[]): string {
  return path.reduce<string>((text, step, index) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return index === 0 ? step : `${text}.${step}`;
  }, "");
}

const quoted = (values: string[]): string => values.map((value) => `'${value}'`).join(", ");

function sized(finding: Extract<Finding, { kind: "above" | "below" }>, field: string): [string, string] {
  const { kind, limit, inclusive, got, of } = finding;
  const above = kind === "above";
  if (of === "array" && !above)
    return [
      "empty_array",
      `Invalid '${field}': empty array. Expected an array with minimum length ${limit}, but got an empty array instead.`,
    ];
  if (of !== "number") {
    const length = of === "string" ? String(got).length : (got as unknown[]).length;
    const [word, bound] = above ? ["long", "maximum"] : ["short", "minimum"];
    const article = of === "array" ? "an array" : "a string";
    return [
      `${of}_${above ? "above_max" : "below_min"}_length`,
      `Invalid '${field}': ${of} too ${word}. Expected ${article} with ${bound} length ${limit}, but got ${article} with length ${length} instead.`,
    ];
  }
  const number = Number.isInteger(got) ? "integer" : "decimal";
  const sign = `${above ? "<" : ">"}${inclusive ? "=" : ""}`;
  return [
    `${number}_${above ? "above_max" : "below_min"}_value`,
    `Invalid '${field}': ${number} ${above ? "above maximum" : "below minimum"} value. Expected a value ${sign} ${limit}, but got ${String(got)} instead.`,
  ];
}

const EXPECTED: Record<string, string> = {
  int: "an integer",
  number: "a decimal",
  array: "an array",
  object: "an object",
  record: "an object",
  string: "a string",
  boolean: "a boolean",
};

function messageOf(finding: Finding, field: string): [code: string, message: string] {
  switch (finding.kind) {
    case "unknown":
      return ["unknown_parameter", `Unknown parameter: '${field}'.`];
    case "missing":
      return ["missing_required_parameter", `Missing required parameter: '${field}'.`];
    case "type": {
      const expected = finding.expected
        .split(" or ")
        .map((type) => EXPECTED[type] ?? type)
        .join(" or ");
      return [
        "invalid_type",
        `Invalid type for '${field}': expected ${expected}, but got ${jsonType(finding.got)} instead.`,
      ];
    }
    case "value":
    case "tag":
      return [
        "invalid_value",
        `Invalid value: '${String(finding.got)}'. Supported values are: ${quoted(finding.allowed)}.`,
      ];
    case "above":
    case "below":
      return sized(finding, field);
    case "pattern":
      return [
        "invalid_value",
        `Invalid '${field}': string does not match pattern. Expected a string that matches the pattern '${finding.pattern}'.`,
      ];
    case "other":
      return ["invalid_value", `Invalid '${field}': ${finding.message}`];
  }
}

/** A finding in this family's words. */
export function toRefusal(finding: Finding): Refusal {
  const field = fieldPath(finding.path);
  const [code, message] = messageOf(finding, field);
  return new Refusal("invalid", message, { field, code });
}

const bad = (field: string, message: string): Refusal =>
  new Refusal("invalid", `Invalid '${field}': ${message}`, { field, code: "invalid_value" });

export function inlineOf(kind: Media["kind"], mediaType: string, data: string, field: string): Media {
  const bytes = decodeBase64(data);
  if (!bytes) throw bad(field, "Expected base64-encoded data.");
  return { type: "media", kind, label: mediaType, size: bytes.length };
}

const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

export function imageOf(url: string, field: string): Media {
  if (/^https?:\/\/\S+$/.test(url)) return { type: "media", kind: "image", label: url };
  const data = readDataUrl(url);
  if (!data)
    throw bad(
      field,
      "Expected a valid URL or a base64-encoded data URL of the form 'data:image/png;base64,…'.",
    );
  const { bytes } = data;
  const label = sniff(bytes) ?? data.mediaType;
  if (!IMAGES.includes(label))
    throw new Refusal(
      "invalid",
      `You uploaded an unsupported image: ${label}. Supported: ${IMAGES.join(", ")}.`,
      {
        field,
        code: "invalid_image_format",
      },
    );
  return { type: "media", kind: "image", label, size: bytes.length };
}

export interface FileFields {
  file_id?: string | null;
  file_data?: string;
  file_url?: string;
  filename?: string;
}

export function documentOf(file: FileFields, field: string): Media {
  const pointed = file.file_url ?? file.file_id;
  if (file.file_data === undefined) {
    if (!pointed) throw bad(field, "one of 'file_id' and 'file_data' is required.");
    return { type: "media", kind: "document", label: pointed };
  }
  const data = readDataUrl(file.file_data);
  if (!data) throw bad(`${field}.file_data`, "Expected a base64-encoded data URL with a MIME type.");
  if (!file.filename)
    throw new Refusal("invalid", `Missing required parameter: '${field}.filename'.`, {
      field: `${field}.filename`,
      code: "missing_required_parameter",
    });
  return { type: "media", kind: "document", label: data.mediaType, size: data.bytes.length };
}

const TYPES: Record<RefusalKind, [type: string, code: string | null]> = {
  invalid: ["invalid_request_error", null],
  unauthenticated: ["invalid_request_error", "invalid_api_key"],
  forbidden: ["permission_error", null],
  missing: ["invalid_request_error", "model_not_found"],
  tooLarge: ["invalid_request_error", null],
  rateLimited: ["rate_limit_error", "rate_limit_exceeded"],
  internal: ["server_error", null],
  unavailable: ["server_error", null],
  overloaded: ["server_error", "overloaded"],
};

export function errorObject({ kind, message, detail }: Refusal): Record<string, unknown> {
  const [type, code] = TYPES[kind];
  return { message, type, param: detail.field ?? null, code: detail.code ?? code };
}

export function refuse(refusal: Refusal, hash: string): ErrorAnswer {
  const { retryAfter } = refusal.detail;
  return {
    status: refusal.status,
    headers: {
      "x-request-id": `req_${hash.slice(0, 24)}`,
      ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    },
    body: { error: errorObject(refusal) },
  };
}

export function list(models: string[], created: number): unknown {
  return {
    object: "list",
    data: models.map((id) => ({ id, object: "model", created, owned_by: "simulator" })),
  };
}
