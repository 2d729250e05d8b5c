import { each, type Machine } from "../codec/machine.ts";
import type { Event, Format, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";

/** The tool that stands for the answer, where its schema has no name. */
const UNNAMED = "answer";

/**
 * The request for models that cannot be given the schema of their answer: a tool that has to be called stands for
 * it, and `restore` makes the arguments of the call the text of the answer. The request has no other tools.
 */
export function answerByTool(
  { format: _, ...rest }: TextRequest,
  format: Format & { type: "schema" },
  lose: Lose,
): { request: TextRequest; restores: boolean; restore(): Machine<Event, Event> } {
  lose("/format", "approximated", "became a tool that has to be called");
  const name = format.name ?? UNNAMED;
  const description = format.description ?? "Gives the answer.";
  return {
    request: {
      ...rest,
      tools: [{ type: "function", name, description, schema: format.schema }],
      toolChoice: { mode: "required", names: [name], parallel: false },
    },
    restores: true,
    restore: () => restorer(name),
  };
}

function restorer(name: string): Machine<Event, Event> {
  /** The answer of each choice, and whether it is still empty. A second answer would make the text invalid JSON. */
  const answers = new Map<number, { index: number; empty: boolean }>();
  const more = new Set<number>();
  return each<Event, Event>((event) => {
    if (event.type === "open" && event.part.type === "call" && event.part.name === name) {
      const choice = event.choice ?? 0;
      if (answers.has(choice)) {
        more.add(event.index);
        return [];
      }
      answers.set(choice, { index: event.index, empty: true });
      return [{ ...event, part: { type: "text" } }];
    }
    if (event.type === "finish") {
      const answered = answers.has(event.choice ?? 0) && event.reason === "tool_calls";
      return [answered ? { ...event, reason: "stop" } : event];
    }
    if (event.type !== "delta" && event.type !== "close") return [event];
    if (more.has(event.index)) return [];
    const answer = [...answers.values()].find(({ index }) => index === event.index);
    if (!answer) return [event];
    if (event.type === "delta") {
      answer.empty = false;
      return [event];
    }
    const { index } = event;
    const none: Event[] = answer.empty ? [{ type: "delta", index, text: "{}" }] : [];
    return [...none, { type: "close", index }];
  });
}
