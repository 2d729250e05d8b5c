import { type Json, type JsonObject, lookup, toObject } from "../../json/json.ts";

/** HTTP statuses of the words that an error's `status` holds. */
const statuses: Record<string, number> = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ABORTED: 409,
  ALREADY_EXISTS: 409,
  RESOURCE_EXHAUSTED: 429,
  CANCELLED: 499,
  INTERNAL: 500,
  UNKNOWN: 500,
  DATA_LOSS: 500,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

/** The endpoint that streams without events answers with a list of one. */
export const bodyOf = (json: Json | undefined): JsonObject => toObject(Array.isArray(json) ? json[0] : json);

/** The error that a chunk holds; nothing where it holds none. */
export function findError(json: Json): JsonObject | undefined {
  const body = bodyOf(json);
  return body.error ? body : undefined;
}

export const statusOf = (word: string): number | undefined => lookup(statuses, word);
