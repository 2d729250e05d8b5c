import {
  type Media,
  mergeTurns,
  type RequestContent,
  type ResultPart,
  textOf,
} from "../content/request-content.ts";
import { plainText } from "../script/directives.ts";

/** The facts of a conversation on which the next answer depends. */
export interface ConversationState {
  /** The user text being answered, as written and without its directives. */
  text: string;
  plain: string;
  /** The number of the answer to the text: 1, and one more for each assistant turn after it. */
  step: number;
  /** Tool results of the last turn, with the names of their tools. */
  results: (ResultPart & { name: string })[];
  media: Media[];
}

export function conversationStateOf(content: RequestContent): ConversationState {
  const turns = mergeTurns(content.turns);
  const last = turns.at(-1);
  const parts = last?.role === "user" ? last.parts : [];
  const lastUserText = turns.findLastIndex(
    (turn) => turn.role === "user" && textOf(turn.parts).trim() !== "",
  );
  const text = lastUserText < 0 ? "" : textOf(turns[lastUserText]!.parts);
  const names = new Map(
    turns.flatMap((turn) =>
      turn.parts.flatMap((part): [string, string][] => (part.type === "call" ? [[part.id, part.name]] : [])),
    ),
  );
  const results = parts.filter((part) => part.type === "result");
  return {
    text,
    plain: plainText(text),
    step: 1 + turns.slice(lastUserText + 1).filter((turn) => turn.role === "assistant").length,
    results: results.map((part) => ({ ...part, name: part.name ?? names.get(part.id) ?? "unknown" })),
    media: [...parts, ...results.flatMap((part) => part.parts)].filter((part) => part.type === "media"),
  };
}
