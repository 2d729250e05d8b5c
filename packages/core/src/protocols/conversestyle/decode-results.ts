import type { Part, ResultPart } from "../../ir/index.ts";
import { type JsonObject, toText } from "../../json/json.ts";
import { unsealedId } from "../seal.ts";
import { extrasIn } from "./parts.ts";

const resultFields = new Set(["toolUseId", "content", "status"]);

/** The answer to a call, with its content. Success is what a result without a status says too. */
export function decodeResult(block: JsonObject, record: JsonObject, content: Part[]): ResultPart {
  const { status } = record;
  const isKnown = status === undefined || status === null || status === "success" || status === "error";
  return {
    type: "result",
    id: unsealedId(toText(record.toolUseId)).id,
    parts: content as ResultPart["parts"],
    ...(status === "error" && { failed: true }),
    ...extrasIn(block, "toolResult", isKnown ? resultFields : new Set(["toolUseId", "content"])),
  };
}
