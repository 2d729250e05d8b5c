import type { ParamName, Params } from "../ir/params.ts";
import type { TextRequest, Tool } from "../ir/request.ts";
import { rest } from "../json/json.ts";
import type { Issue } from "./ask.ts";
import { isSearch } from "./ask-text.ts";
import type { Structured } from "./fields.ts";
import { fieldOf } from "./message-text.ts";

type Removal = (request: TextRequest) => TextRequest;

const searches = (tool: Tool): boolean => tool.type === "opaque" && isSearch(tool.value);

/** Removes each structured setting of a request, and each member of one. */
const removals: Record<Structured | "thinking.type" | "thinking.budgetTokens", Removal> = {
  // A search is a setting of its own, although it is listed among the tools.
  tools: ({ tools = [], toolChoice: _, ...request }) => ({ ...request, tools: tools.filter(searches) }),
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
  "thinking.type": (request) => {
    const { mode: _, ...reasoning } = request.reasoning ?? {};
    return { ...request, reasoning };
  },
  "thinking.budgetTokens": (request) => {
    const { budget: _, ...reasoning } = request.reasoning ?? {};
    return { ...request, reasoning };
  },
  includeReasoning: (request) => {
    const { show: _, ...reasoning } = request.reasoning ?? {};
    return { ...request, reasoning };
  },
  webSearchOptions: (request) => ({
    ...request,
    tools: (request.tools ?? []).filter((tool) => !searches(tool)),
  }),
};

/** The request without what the findings say is dropped. */
export function withoutDropped(request: TextRequest, issues: readonly Issue[]): TextRequest {
  let left = request;
  for (const { effect, name, path } of issues) {
    if (effect !== "drop" || name === undefined) continue;
    left = withoutField(left, path);
    if (Object.hasOwn(removals, name)) left = removals[name as keyof typeof removals](left);
    else if (Object.hasOwn(left.params, name))
      left = { ...left, params: leaveOut(left.params, name as ParamName) };
  }
  return withoutEmpty(left);
}

/** A parameter that only the caller's wire has is kept in `extra`, under its own name. */
function withoutField({ extra, ...request }: TextRequest, path: string): TextRequest {
  if (!extra) return request;
  const fields = rest(extra.fields, new Set([fieldOf(path)]));
  return fields ? { ...request, extra: { ...extra, fields } } : request;
}

function leaveOut(params: Params, name: ParamName): Params {
  const { [name]: _, ...others } = params;
  return others;
}

/** Removes objects that become empty: some wires would write them out. */
function withoutEmpty(request: TextRequest): TextRequest {
  const { toolChoice, reasoning, tools, ...left } = request;
  return {
    ...left,
    ...(tools && tools.length > 0 && { tools }),
    ...(toolChoice && Object.keys(toolChoice).length > 0 && { toolChoice }),
    ...(reasoning && Object.keys(reasoning).length > 0 && { reasoning }),
  };
}
