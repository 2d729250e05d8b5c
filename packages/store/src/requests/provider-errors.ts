import type { JsonObject } from "../engine/json-columns.ts";
import type { ContentRef } from "./pack-rows.ts";
import type { RecordOptions } from "./record-options.ts";

/** A provider's error for one attempt of a request, unchanged except that credentials are removed. */
export interface ProviderError {
  /** The position of the attempt in the record's route. */
  attempt: number;
  /** The provider's own code: `INVALID_ARGUMENT`. */
  code?: string;
  /** The type of the error, where it has one beside its code. */
  type?: string;
  /** The provider's sentence for people. */
  message?: string;
  /** The beginning of the body. */
  body?: string;
}

/** The most bytes kept of a body, and of the sentence in it. */
const LONGEST = 2_048;
const SENTENCE = 1_000;
/** The form of codes and types. Any other value may be free text. */
const NAME = /^[\w.:/-]{1,100}$/;

/** The longest beginning of a text that fits into `bytes`, cut between characters. */
export function beginningOf(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}

/** The stored part of an error, as JSON text: under `metadata` only its code and type. */
export function keptOfError(
  { code, type, message, body }: ProviderError,
  { requests }: Pick<RecordOptions, "requests">,
): string | undefined {
  if (requests === "none") return undefined;
  const kept = {
    ...(code !== undefined && NAME.test(code) && { code }),
    ...(type !== undefined && NAME.test(type) && { type }),
    ...(requests === "full" && {
      ...(message !== undefined && { message: beginningOf(message, SENTENCE) }),
      ...(body !== undefined && { body: beginningOf(body, LONGEST) }),
    }),
  };
  return Object.keys(kept).length > 0 ? JSON.stringify(kept) : undefined;
}

/**
 * The name of an attempt's error among the contents. The space keeps it apart from ids of generations, which have none.
 */
export const errorName = (generation: string, attempt: number): string => `${generation} ${attempt}`;

/** References to the errors that the attempts of a record may have. */
export function errorRefs({ id, account, at }: ContentRef, route: string | null): ContentRef[] {
  if (route === null) return [];
  const { attempts } = JSON.parse(route) as JsonObject;
  if (!Array.isArray(attempts)) return [];
  return attempts.map((_, attempt) => ({ id: errorName(id, attempt), account, at }));
}
