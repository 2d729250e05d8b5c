import type { Refusal } from "../../refusal.ts";
import { errorObject } from "../family.ts";
import type { Chunk } from "../protocol.ts";

export { refuse } from "../family.ts";

/** The stream's own error event is flat, unlike the error object of an HTTP answer. */
export function streamError(refusal: Refusal, sequence: number): Chunk {
  const { message, code, param } = errorObject(refusal);
  return {
    event: "error",
    data: { type: "error", code: code ?? "server_error", message, param, sequence_number: sequence },
  };
}
