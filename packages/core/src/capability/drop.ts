import type { ParamName, Params, TextRequest } from "../ir/request.ts";
import type { Issue } from "./ask.ts";
import type { Structured } from "./fields.ts";

/** The request without each ask that is no scalar. */
const without: Record<Structured, (request: TextRequest) => TextRequest> = {
  tools: ({ tools: _, toolChoice: _c, ...request }) => request,
  toolChoice: ({ toolChoice, ...request }) =>
    toolChoice?.parallel === undefined
      ? request
      : { ...request, toolChoice: { parallel: toolChoice.parallel } },
  parallelToolCalls: (request) => {
    const { parallel: _, ...toolChoice } = request.toolChoice ?? {};
    return { ...request, toolChoice };
  },
  responseFormat: ({ format: _, ...request }) => request,
  reasoningEffort: (request) => {
    const { effort: _, ...reasoning } = request.reasoning ?? {};
    return { ...request, reasoning };
  },
  thinking: (request) => {
    const { mode: _, budget: _b, ...reasoning } = request.reasoning ?? {};
    return { ...request, reasoning };
  },
  includeReasoning: (request) => {
    const { show: _, ...reasoning } = request.reasoning ?? {};
    return { ...request, reasoning };
  },
  webSearchOptions: (request) => ({
    ...request,
    tools: (request.tools ?? []).filter((tool) => tool.type !== "opaque"),
  }),
};

/** The request without what the findings say is dropped. */
export function withoutDropped(request: TextRequest, issues: readonly Issue[]): TextRequest {
  let left = request;
  for (const { effect, name } of issues) {
    if (effect !== "drop" || name === undefined) continue;
    if (Object.hasOwn(without, name)) left = without[name as Structured](left);
    else if (Object.hasOwn(left.params, name))
      left = { ...left, params: leaveOut(left.params, name as ParamName) };
  }
  return tidy(left);
}

function leaveOut(params: Params, name: ParamName): Params {
  const { [name]: _, ...others } = params;
  return others;
}

/** Records that are left empty say nothing, and some wires would spell that nothing out. */
function tidy(request: TextRequest): TextRequest {
  const { toolChoice, reasoning, tools, ...left } = request;
  return {
    ...left,
    ...(tools && tools.length > 0 && { tools }),
    ...(toolChoice && Object.keys(toolChoice).length > 0 && { toolChoice }),
    ...(reasoning && Object.keys(reasoning).length > 0 && { reasoning }),
  };
}
