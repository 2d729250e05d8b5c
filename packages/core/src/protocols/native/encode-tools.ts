import { extraFor } from "../../ir/extra.ts";
import type { FunctionTool, Tool, ToolChoice } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type Json, type JsonObject, toObject } from "../../json/json.ts";
import { respell } from "./respell.ts";

export function encodeTools(tools: readonly Tool[], wire: JsonObject, lose: Lose): void {
  const list = tools.flatMap((tool, i): Json[] => {
    if (tool.type === "function") return [encodeTool(tool, `/tools/${i}`, lose)];
    const search = toObject(tool.value).web_search_options;
    if (tool.protocol === "native") return [tool.value];
    if (tool.protocol === "chatstyle" && isObject(search)) wire.webSearchOptions = respell(search, toCamel);
    else lose(`/tools/${i}`, "unsupported", "a server tool of another protocol");
    return [];
  });
  if (list.length > 0) wire.tools = list;
}

function encodeTool(tool: FunctionTool, path: string, lose: Lose): JsonObject {
  const { name, description, schema, strict } = tool;
  if (tool.freeform) lose(`${path}/freeform`, "unsupported");
  if (tool.cache) lose(`${path}/cache`, "unsupported");
  return {
    ...extraFor("native", tool.extra, lose, path),
    type: "function",
    function: {
      name,
      ...(description !== undefined && { description }),
      ...(schema !== undefined && { parameters: schema }),
      ...(strict !== undefined && { strict }),
    },
  };
}

export function encodeToolChoice(choice: ToolChoice, wire: JsonObject, lose: Lose): void {
  if (wire.tools === undefined) {
    lose("/toolChoice", "unsupported", "there are no tools to choose from");
    return;
  }
  const { mode, names, parallel } = choice;
  if (parallel !== undefined) wire.parallelToolCalls = parallel;
  const [name] = names ?? [];
  if (mode === "required" && names?.length === 1)
    wire.toolChoice = { type: "function", function: { name: name as string } };
  else {
    if (mode) wire.toolChoice = mode;
    if (names) lose("/toolChoice/names", "unsupported");
  }
}

const toCamel = (key: string): string =>
  key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
