import type { Context } from "../../family/content.ts";
import { type ToolContext, writeSchema } from "../../family/schemas.ts";
import { extraFor } from "../../ir/extra.ts";
import type { FunctionTool, Tool, ToolChoice } from "../../ir/index.ts";
import { type Json, type JsonObject, toObject } from "../../json/json.ts";
import { writeCache } from "./encode-parts.ts";
import { protocol } from "./parts.ts";

function nestedGrammar(format: Json): Json {
  const { type, ...grammar } = toObject(format);
  return type === "grammar" && !("grammar" in grammar) ? { type, grammar } : format;
}

export function encodeTools(tools: readonly Tool[], wire: JsonObject, context: ToolContext): void {
  const { lose } = context;
  const list = tools.flatMap((tool, i): Json[] => {
    if (tool.type === "function") return [encodeTool(tool, `/tools/${i}`, context)];
    if (tool.protocol !== protocol) {
      lose(`/tools/${i}`, "unsupported", "a server tool of another protocol");
      return [];
    }
    const search = toObject(tool.value).web_search_options;
    if (search === undefined) return [tool.value];
    wire.web_search_options = search;
    return [];
  });
  if (list.length > 0) wire.tools = list;
}

function encodeTool(tool: FunctionTool, path: string, context: ToolContext): JsonObject {
  const { name, description, schema, strict, freeform } = tool;
  const extra = extraFor(protocol, tool.extra, context.lose, path);
  const type = freeform ? "custom" : "function";
  const described = { name, ...(description !== undefined && { description }) };
  if (freeform && strict !== undefined) context.lose(`${path}/strict`, "unsupported");
  if (freeform && schema !== undefined) context.lose(`${path}/schema`, "unsupported");
  const inner = freeform
    ? { ...described, ...(freeform.format !== undefined && { format: nestedGrammar(freeform.format) }) }
    : {
        ...described,
        ...parameters(tool, path, context),
      };
  return {
    ...extra,
    type,
    [type]: { ...toObject(extra[type]), ...inner },
    ...writeCache(tool.cache, path, context),
  };
}

function parameters({ schema, strict }: FunctionTool, path: string, context: ToolContext): JsonObject {
  const { lose, traits } = context;
  if (schema === undefined) {
    if (strict && traits.strict === false) lose(`${path}/strict`, "unsupported");
    return {
      ...(traits.toolSchemas && { parameters: { type: "object", properties: {} } }),
      ...(strict !== undefined && traits.strict !== false && { strict }),
    };
  }
  const written = writeSchema(schema, strict, { ...context, wire: protocol, path });
  return {
    parameters: written.schema,
    ...(written.strict !== undefined && { strict: written.strict }),
  };
}

export function encodeToolChoice(
  choice: ToolChoice,
  tools: readonly Tool[],
  wire: JsonObject,
  { lose }: Context,
): void {
  if (wire.tools === undefined) {
    lose("/toolChoice", "unsupported", "there are no tools to choose from");
    return;
  }
  const { mode, names, parallel } = choice;
  if (parallel !== undefined) wire.parallel_tool_calls = parallel;
  const reference = (name: string): JsonObject => {
    const free = tools.some((tool) => tool.type === "function" && tool.name === name && tool.freeform);
    return free ? { type: "custom", custom: { name } } : { type: "function", function: { name } };
  };
  if (!names || names.length === 0) {
    if (mode) wire.tool_choice = mode;
  } else if (mode === "none") {
    wire.tool_choice = mode;
    lose("/toolChoice/names", "unsupported");
  } else if (mode === "required" && names.length === 1) wire.tool_choice = reference(names[0] as string);
  else {
    if (!mode) lose("/toolChoice/mode", "approximated");
    const allowed = { mode: mode ?? "auto", tools: names.map(reference) };
    wire.tool_choice = { type: "allowed_tools", allowed_tools: allowed };
  }
}
