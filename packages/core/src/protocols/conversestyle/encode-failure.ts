import { type Failure, furtherFields } from "../../ir/failure.ts";
import type { JsonObject } from "../../json/json.ts";
import { findException, isFailure, names } from "./failure.ts";
import type { Chunk } from "./schema.ts";

const isOfProtocol = ({ raw }: Failure): boolean => raw?.protocol === "conversestyle" && isFailure(raw.value);

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

export function encodeFailure(failure: Failure): { status: number; body: JsonObject } {
  const { kind, status, message, raw } = failure;
  if (isOfProtocol(failure) && raw) return { status, body: raw.value };
  return { status, body: { ...furtherFields(failure), __type: capital(names[kind]), message } };
}

/** The chunk that an error inside a stream is. */
export function failureChunk(failure: Failure): Chunk {
  const { kind, message, raw } = failure;
  if (isOfProtocol(failure) && raw && findException(raw.value)) return raw.value as Chunk;
  return { [names[kind]]: { ...furtherFields(failure), message } };
}
