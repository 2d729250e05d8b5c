import type { CallPart, TextRequest, Tool } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";

/** The calls in the turns of the model. */
export const callsOf = ({ messages }: TextRequest): CallPart[] =>
  messages.flatMap(
    ({ parts }) => (parts as { type: string }[]).filter((part) => part.type === "call") as CallPart[],
  );

/**
 * The tools to write on a wire that can name one tool or all. For a set of several the others are left out, unless
 * the conversation has called one of them.
 */
export function chosenTools(
  { tools = [], toolChoice }: TextRequest,
  calls: CallPart[],
  lose: Lose,
): (tool: Tool, i: number) => boolean {
  const names = toolChoice?.names;
  if (!names || (names.length === 1 && toolChoice.mode === "required")) return () => true;
  const isNamed = (tool: Tool): boolean => tool.type === "function" && names.includes(tool.name);
  if (!tools.some(isNamed) || calls.some(({ name }) => !names.includes(name))) {
    lose("/toolChoice/names", "unsupported", "the conversation uses other tools as well");
    return () => true;
  }
  lose("/toolChoice/names", "approximated", "the other tools are left out");
  return (tool, i) => {
    const named = isNamed(tool);
    if (!named) lose(`/tools/${i}`, "approximated", "left out, because the choice does not name it");
    return named;
  };
}
