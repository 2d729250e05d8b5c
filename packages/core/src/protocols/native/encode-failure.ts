import type { Failure } from "../../ir/failure.ts";
import type { JsonObject } from "../../json/json.ts";

export function encodeFailure(failure: Failure): { status: number; body: JsonObject } {
  const { kind, status, message, code, raw } = failure;
  if (raw?.protocol === "native") return { status, body: raw.value };
  return { status, body: { error: { message, type: kind, code: code ?? null } } };
}
