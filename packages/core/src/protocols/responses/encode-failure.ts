import { writeError } from "../../family/encode-failure.ts";
import type { Failure } from "../../ir/failure.ts";
import { isObject, type JsonObject } from "../../json/json.ts";

export function encodeFailure(failure: Failure): { status: number; body: JsonObject } {
  const { status, raw } = failure;
  // An error that came inside a reply is no answer by itself: only the nested shape is.
  const error =
    raw?.protocol === "responses" && raw.value.object !== "response" ? raw.value.error : undefined;
  return { status, body: isObject(error) ? { error } : writeError(failure) };
}
