import type { Trace } from "../../codec/caller-codec.ts";
import type { ResultPart } from "../../ir/index.ts";
import { type JsonObject, toText } from "../../json/json.ts";
import { unsealedId } from "../seal.ts";
import { decodeContent } from "./decode-parts.ts";
import { extrasIn } from "./parts.ts";

const resultFields = new Set(["toolUseId", "content", "status"]);

/** The answer to a call. Success is what a result without a status says too. */
export function decodeResult(
  block: JsonObject,
  record: JsonObject,
  pointer: string,
  trace: Trace,
): ResultPart {
  const { status } = record;
  const isKnown = status === undefined || status === null || status === "success" || status === "error";
  return {
    type: "result",
    id: unsealedId(toText(record.toolUseId)).id,
    parts: decodeContent(record.content, `${pointer}/content`, trace, "result") as ResultPart["parts"],
    ...(status === "error" && { failed: true }),
    ...extrasIn(block, "toolResult", isKnown ? resultFields : new Set(["toolUseId", "content"])),
  };
}
