import { type Failure, furtherFields } from "../../ir/failure.ts";
import type { JsonObject } from "../../json/json.ts";
import { findException, isFailure, names } from "./failure.ts";
import type { Chunk } from "./schema.ts";

/** The error as it was said on this wire. */
const originalError = ({ raw }: Failure): JsonObject | undefined =>
  raw?.protocol === "conversestyle" && isFailure(raw.value) ? raw.value : undefined;

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

export function encodeFailure(failure: Failure): { status: number; body: JsonObject } {
  const { kind, status, message } = failure;
  const written = { ...furtherFields(failure), __type: capital(names[kind]), message };
  return { status, body: originalError(failure) ?? written };
}

/** The chunk that an error inside a stream is. */
export function failureChunk(failure: Failure): Chunk {
  const { kind, message } = failure;
  const original = originalError(failure);
  if (original && findException(original)) return original;
  return { [names[kind]]: { ...furtherFields(failure), message } };
}
