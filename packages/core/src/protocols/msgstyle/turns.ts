import { type JsonObject, lookup, toArray, toObject, toText } from "../../json/json.ts";
import type { BlockKind, WrittenTurns } from "../with-thinking.ts";

const kinds: Record<string, BlockKind> = {
  thinking: "thought",
  redacted_thinking: "thought",
  tool_use: "call",
  tool_result: "result",
};

/** The turns of a request as thinking has to go with them. */
export function turnsOf(wire: JsonObject): WrittenTurns {
  const choice = toObject(wire.tool_choice).type;
  const messages = toArray(wire.messages).map(toObject);
  return {
    forced: choice === "any" || choice === "tool",
    turns: messages
      .filter(({ role }) => role !== "system")
      .map(({ role, content }) => ({
        role,
        kinds: toArray(content).map((block) => lookup(kinds, toText(toObject(block).type)) ?? "other"),
      })),
  };
}
