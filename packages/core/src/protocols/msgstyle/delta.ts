import { ignoreLosses } from "../../ir/loss.ts";
import { type Json, type JsonObject, toArray, toText } from "../../json/json.ts";
import { toArguments } from "../arguments.ts";

/** Text that came in fragments and means JSON, beside the block that it belongs to. */
export interface Growing {
  block: JsonObject;
  fragments: string;
}

/** Adds a delta to a block. Of kinds unknown here, text grows and anything else is replaced. */
export function grow(growing: Growing, delta: JsonObject): void {
  const { block } = growing;
  switch (delta.type) {
    case "input_json_delta":
      growing.fragments += toText(delta.partial_json);
      break;
    case "citations_delta":
      block.citations = [...toArray(block.citations), delta.citation as Json];
      break;
    case "signature_delta":
      block.signature = delta.signature as Json;
      break;
    default:
      for (const [name, value] of Object.entries(delta)) {
        if (name === "type") continue;
        const before = block[name];
        block[name] = typeof before === "string" && typeof value === "string" ? before + value : value;
      }
  }
}

/** The block that has grown, its arguments read. */
export const wholeOf = ({ block, fragments }: Growing): JsonObject =>
  fragments.trim() === "" ? block : { ...block, input: toArguments(fragments, "", ignoreLosses) };
