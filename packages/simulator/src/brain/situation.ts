import { type Media, mergeTurns, type Reading, type ResultPart, textOf } from "../content/request-content.ts";
import { plainText } from "../script/directives.ts";

/** Where a conversation stands, as far as the next answer depends on it. */
export interface Situation {
  /** The user text being answered, as written and without its directives. */
  text: string;
  plain: string;
  /** 1 for the answer to the text itself, one more for every assistant turn after it. */
  step: number;
  /** Tool results of the last turn, with the names of their tools. */
  results: (ResultPart & { name: string })[];
  media: Media[];
}

export function situationOf(reading: Reading): Situation {
  const turns = mergeTurns(reading.turns);
  const last = turns.at(-1);
  const parts = last?.role === "user" ? last.parts : [];
  const spoken = turns.findLastIndex((turn) => turn.role === "user" && textOf(turn.parts).trim() !== "");
  const text = spoken < 0 ? "" : textOf(turns[spoken]!.parts);
  const names = new Map(
    turns.flatMap((turn) =>
      turn.parts.flatMap((part): [string, string][] => (part.type === "call" ? [[part.id, part.name]] : [])),
    ),
  );
  const results = parts.filter((part) => part.type === "result");
  return {
    text,
    plain: plainText(text),
    step: 1 + turns.slice(spoken + 1).filter((turn) => turn.role === "assistant").length,
    results: results.map((part) => ({ ...part, name: part.name ?? names.get(part.id) ?? "unknown" })),
    media: [...parts, ...results.flatMap((part) => part.parts)].filter((part) => part.type === "media"),
  };
}
