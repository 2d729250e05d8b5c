import { DONE } from "../../codec/codec-base.ts";
import { type Json, toArray, toObject } from "../../json/json.ts";

/**
 * A unary body as chunks: itself, since readers take `message` where chunks have `delta`. A body with content counts
 * as complete, whatever its finish says.
 */
export const burst = (body: Json): Json[] =>
  toArray(toObject(body).choices).some(hasContent) ? [body, DONE] : [body];

export const hasContent = (choice: Json): boolean =>
  Object.entries(toObject(toObject(choice).message)).some(
    ([name, value]) =>
      name !== "role" && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0),
  );
