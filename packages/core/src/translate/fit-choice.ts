import type { Traits } from "../codec/traits.ts";
import type { Protocol, TextRequest, Tool, ToolChoice } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { mayThink } from "./may-think.ts";

/** Checks whether a model with these traits can be made to call a tool in this request. */
export const canForce = (request: TextRequest, traits: Traits): boolean =>
  traits.forcedChoice !== false && (traits.forcedChoice !== "unthinking" || !mayThink(request, traits));

/** The request with a choice of tools that the model accepts. */
export function fitChoice(request: TextRequest, target: Protocol, traits: Traits, lose: Lose): TextRequest {
  if (!request.toolChoice) return request;
  const { tools = [] } = request;
  const { names = [], ...choice } = withoutMissingTools(request.toolChoice, tools, target, lose);
  if (choice.parallel !== undefined && traits.parallelCalls === false) {
    lose("/toolChoice/parallel", "unsupported", "the model refuses the setting");
    delete choice.parallel;
  }
  if (choice.mode === "none" && traits.choiceOfNone === false) {
    lose("/toolChoice/mode", "approximated", "the tools are left out instead");
    const { tools: _, toolChoice: _c, ...others } = request;
    return others;
  }
  if (choice.mode === "required" && !canForce(request, traits)) {
    lose("/toolChoice/mode", "approximated", "the model refuses to be made to call a tool");
    choice.mode = "auto";
  }
  const isSet =
    names.length > 0 && choice.mode !== "none" && !(choice.mode === "required" && names.length === 1);
  if (!isSet || traits.toolSets !== false)
    return { ...request, toolChoice: { ...choice, ...(names.length > 0 && { names }) } };
  lose("/toolChoice/names", "approximated", "only these tools are sent");
  const kept = tools.filter((tool) => tool.type !== "function" || names.includes(tool.name));
  return { ...request, tools: kept, toolChoice: choice };
}

/** The choice without the names of tools that the target does not get, such as server tools of another protocol. */
function withoutMissingTools(
  choice: ToolChoice,
  tools: readonly Tool[],
  target: Protocol,
  lose: Lose,
): ToolChoice {
  const { names = [], mode, ...others } = choice;
  const isOffered = (name: string): boolean =>
    tools.some((tool) => (tool.type === "function" ? tool.name === name : tool.protocol === target));
  const left = names.filter(isOffered);
  if (tools.length === 0 || left.length === names.length) return choice;
  lose("/toolChoice/names", "unsupported", "the target has no such tool");
  if (left.length > 0) return { ...choice, names: left };
  return { ...others, ...(mode === "none" && { mode }) };
}
