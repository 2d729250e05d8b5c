import type { Trace } from "../../codec/caller-codec.ts";
import type { Context } from "../../family/content.ts";
import { type ToolContext, writeSchema } from "../../family/schemas.ts";
import { extraFor, extraOf } from "../../ir/extra.ts";
import type { Extra, FunctionTool, Tool, ToolChoice } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { extrasOf, protocol, readCache, writeCache } from "./parts.ts";

const toolFields = new Set(["type", "function", "custom", "cache_control"]);
const functionFields = new Set(["name", "description", "parameters", "strict"]);
const customFields = new Set(["name", "description", "format"]);

/** The tools of a request, in any of the places where the wire has had them. */
export function decodeTools(wire: JsonObject, trace: Trace): Tool[] | undefined {
  const tools: Tool[] = [];
  const add = (tool: Tool, pointer: string): void => {
    trace(tool, pointer);
    tools.push(tool);
  };
  toArray(wire.tools).forEach((json, i) => {
    add(decodeTool(json), `/tools/${i}`);
  });
  toArray(wire.functions).forEach((json, i) => {
    add(decodeTool({ type: "function", function: json }), `/functions/${i}`);
  });
  if (isObject(wire.web_search_options)) {
    const value = { web_search_options: wire.web_search_options };
    add({ type: "opaque", protocol, value }, "/web_search_options");
  }
  return tools.length > 0 ? tools : undefined;
}

function decodeTool(json: Json): Tool {
  const given = toObject(json);
  const wire: JsonObject = { ...given, type: given.type ?? "function" };
  if ((wire.type !== "function" && wire.type !== "custom") || !isObject(wire[wire.type]))
    return { type: "opaque", protocol, value: json };
  const inner = toObject(wire[wire.type]);
  const description = textOf(inner.description);
  const tool: FunctionTool = {
    type: "function",
    name: toText(inner.name),
    ...(description !== undefined && { description }),
  };
  if (wire.type === "custom")
    tool.freeform = isObject(inner.format) ? { format: flatGrammar(inner.format) } : {};
  else {
    if (isObject(inner.parameters)) tool.schema = inner.parameters;
    if (typeof inner.strict === "boolean") tool.strict = inner.strict;
  }
  const extra = toolExtra(wire, inner);
  return { ...tool, ...readCache(wire.cache_control), ...(extra && { extra }) };
}

/** This wire holds a grammar one level deeper than the IR. */
function flatGrammar(format: JsonObject): JsonObject {
  const { type, grammar, ...more } = format;
  const nested = type === "grammar" && isObject(grammar) && !("type" in grammar);
  return nested && Object.keys(more).length === 0 ? { type, ...grammar } : format;
}

function nestedGrammar(format: Json): Json {
  const { type, ...grammar } = toObject(format);
  return type === "grammar" && !("grammar" in grammar) ? { type, grammar } : format;
}

/** Unknown members of a tool; those of its definition stand one level deeper, as on the wire. */
function toolExtra(wire: JsonObject, inner: JsonObject): Extra | undefined {
  const outer = extrasOf(wire, toolFields).extra;
  const deeper = extraOf(protocol, inner, wire.type === "custom" ? customFields : functionFields).extra;
  if (!deeper) return outer;
  return { protocol, fields: { ...outer?.fields, [wire.type as string]: deeper.fields } };
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

/** Words for "must call a tool" that clients of other wires send here by mistake. */
const modes: Record<string, ToolChoice["mode"] & string> = {
  auto: "auto",
  none: "none",
  required: "required",
  any: "required",
};

/**
 * Reads the choice of tools, and the members that say it in other words than the IR has. Without tools the wire has
 * no such question, and neither does the IR.
 */
export function decodeToolChoice(wire: JsonObject): { choice?: ToolChoice; remaining?: JsonObject } {
  if (toArray(wire.tools).length === 0 && toArray(wire.functions).length === 0) return {};
  const { tool_choice, function_call, parallel_tool_calls: parallel } = wire;
  const wireChoice = tool_choice ?? legacyChoice(function_call);
  const read = readChoice(wireChoice);
  const choice: ToolChoice = { ...read, ...(typeof parallel === "boolean" && { parallel }) };
  const other = !read && (isObject(wireChoice) || typeof wireChoice === "string");
  return {
    ...(Object.keys(choice).length > 0 && { choice }),
    ...(other && {
      remaining: isNothing(tool_choice) ? { function_call: function_call as Json } : { tool_choice },
    }),
  };
}

const isNothing = (value: Json | undefined): value is null | undefined =>
  value === undefined || value === null;

const legacyChoice = (value: Json | undefined): Json | undefined =>
  isObject(value) ? { type: "function", function: value } : value;

function readChoice(value: Json | undefined): ToolChoice | undefined {
  const word = isObject(value) ? toText(value.type) : toText(value);
  const mode = Object.hasOwn(modes, word) ? modes[word] : undefined;
  if (mode) return { mode };
  if (!isObject(value)) return undefined;
  if (word === "allowed_tools") {
    const allowed = isObject(value.allowed_tools) ? value.allowed_tools : value;
    const names = toArray(allowed.tools).map(nameIn);
    // Tools without a name cannot be left out: fewer would be allowed, or all.
    if (names.length === 0 || names.includes("")) return undefined;
    return { mode: allowed.mode === "required" ? "required" : "auto", names };
  }
  const name = nameIn(value);
  return name === "" ? undefined : { mode: "required", names: [name] };
}

/** The name in a reference to a tool, nested as the wire has it or flat. */
function nameIn(json: Json): string {
  const wire = toObject(json);
  return toText(toObject(wire.function).name) || toText(toObject(wire.custom).name) || toText(wire.name);
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
