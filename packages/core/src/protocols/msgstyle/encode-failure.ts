import { isContextOverflow, tokensOf } from "../../ir/context-overflow.ts";
import { type Failure, furtherFields } from "../../ir/failure.ts";
import { isObject, type JsonObject } from "../../json/json.ts";
import { types } from "./failure.ts";
import type { Chunk, ErrorType } from "./schema.ts";

/** The error's own object where it was said on this wire, and in this wire's form. */
const originalError = ({ raw }: Failure): JsonObject | undefined =>
  raw?.protocol === "msgstyle" && raw.value.type === "error" && isObject(raw.value.error)
    ? raw.value
    : undefined;

const errorOf = (failure: Failure): { type: ErrorType; message: string } => ({
  ...furtherFields(failure),
  type: types[failure.kind],
  message: isContextOverflow(failure) ? withClientWords(failure.message) : failure.message,
});

/** The words by which clients of this wire notice that their conversation, or what may follow it, is too long. */
const clientWords = /prompt is too long|input length and `max_tokens` exceed context limit/i;

function withClientWords(message: string): string {
  if (clientWords.test(message)) return message;
  const { input, output, limit } = tokensOf(message);
  if (!input || !limit || (input <= limit && !output)) return `prompt is too long: ${message}`;
  return input > limit
    ? `prompt is too long: ${input} tokens > ${limit} maximum: ${message}`
    : `input length and \`max_tokens\` exceed context limit: ${input} + ${output} > ${limit}: ${message}`;
}

export function encodeFailure(failure: Failure): { status: number; body: JsonObject } {
  const body = originalError(failure) ?? { type: "error", error: errorOf(failure), request_id: null };
  return { status: failure.status, body };
}

/** The chunk that an error inside a stream is. */
export const failureChunk = (failure: Failure): Chunk =>
  (originalError(failure) as Chunk | undefined) ?? { type: "error", error: errorOf(failure) };
