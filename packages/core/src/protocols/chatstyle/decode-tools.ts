import type { Trace } from "../../codec/caller-codec.ts";
import { nested } from "../../family/flat-tools.ts";
import { extraOf } from "../../ir/extra.ts";
import type { Extra, FunctionTool, Tool, ToolChoice } from "../../ir/index.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  lookup,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../json/json.ts";
import { readCache } from "./decode-parts.ts";
import { extrasOf, protocol } from "./parts.ts";

const toolFields = new Set(["type", "function", "custom", "cache_control"]);
const functionFields = new Set(["name", "description", "parameters", "strict"]);
const customFields = new Set(["name", "description", "format"]);

/** The tools of a request, in any of the places where the wire has had them. */
export function decodeTools(wire: JsonObject, trace: Trace): Tool[] {
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
  return tools;
}

function decodeTool(json: Json): Tool {
  const given = nested(json);
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
  const isDeep = type === "grammar" && isObject(grammar) && !("type" in grammar);
  return isDeep && Object.keys(more).length === 0 ? { type, ...grammar } : format;
}

/** Unknown members of a tool; those of its definition stand one level deeper, as on the wire. */
function toolExtra(wire: JsonObject, inner: JsonObject): Extra | undefined {
  const outer = extrasOf(wire, toolFields).extra;
  const deeper = extraOf(protocol, inner, wire.type === "custom" ? customFields : functionFields).extra;
  if (!deeper) return outer;
  return { protocol, fields: { ...outer?.fields, [wire.type as string]: deeper.fields } };
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
  const mode = lookup(modes, word);
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
