import { defineFailures } from "../../family/decode-failure.ts";
import { isObject, type Json, type JsonObject, numberOf, toObject, toText } from "../../json/json.ts";

export const { decode: decodeFailure, readInBand } = defineFailures("chatstyle");

/** What the statuses of a server mean that answers errors with status 200 and a `base_resp`. */
const statusTypes: Record<number, string> = {
  1001: "timeout",
  1002: "rate_limit",
  1004: "authentication",
  1008: "billing",
  1026: "invalid",
  2013: "invalid",
  2062: "rate_limit",
};

/** The error that a body or a chunk holds; nothing where it holds none. */
export function findError(json: Json | undefined): JsonObject | undefined {
  const body = Array.isArray(json) ? json[0] : json;
  if (!isObject(body)) return undefined;
  if (body.error) return body;
  const { status_code, status_msg } = toObject(body.base_resp);
  const status = numberOf(status_code) ?? 0;
  if (status !== 0) {
    const error = {
      message: toText(status_msg),
      type: statusTypes[status] ?? "server",
      code: String(status),
    };
    return { ...body, error };
  }
  return body.object === "error" || body.type === "error" ? { ...body, error: body } : undefined;
}
