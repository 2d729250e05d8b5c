import type { Refusal } from "../../refusal.ts";
import { errorObject } from "../family.ts";
import type { Chunk } from "../protocol.ts";

export { refuse } from "../family.ts";

export function streamError(refusal: Refusal): Chunk {
  return { data: { error: errorObject(refusal) } };
}
