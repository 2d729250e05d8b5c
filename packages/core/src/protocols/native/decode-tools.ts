import type { Trace } from "../../codec/caller-codec.ts";
import { snake } from "../../codec/snake-case.ts";
import { extraOf } from "../../ir/extra.ts";
import type { Tool, ToolChoice } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { respell } from "./respell.ts";

const fields = new Set(["type", "function", "name", "description", "parameters", "strict"]);

export function decodeTools(wire: JsonObject, trace: Trace): Tool[] {
  const tools = toArray(wire.tools).map((json, i) => {
    const tool = decodeTool(json);
    trace(tool, `/tools/${i}`);
    return tool;
  });
  if (isObject(wire.webSearchOptions)) {
    // Spelled as chat upstreams spell their web search, so that it reaches them.
    const value = { web_search_options: respell(wire.webSearchOptions, snake) };
    const search: Tool = { type: "opaque", protocol: "chatstyle", value };
    trace(search, "/webSearchOptions");
    tools.push(search);
  }
  return tools;
}

function decodeTool(json: Json): Tool {
  const wire = toObject(json);
  const inner = isObject(wire.function) ? wire.function : wire;
  const name = toText(inner.name);
  if (name === "" || (wire.type !== undefined && wire.type !== "function"))
    return { type: "opaque", protocol: "native", value: json };
  const description = textOf(inner.description);
  return {
    type: "function",
    name,
    ...(description !== undefined && { description }),
    ...(isObject(inner.parameters) && { schema: inner.parameters }),
    ...(typeof inner.strict === "boolean" && { strict: inner.strict }),
    ...extraOf("native", wire, fields),
  };
}

/** Reads the choice of tools. What the IR has no word for is left. */
export function decodeToolChoice(wire: JsonObject): { choice?: ToolChoice; remaining?: Json } {
  if (toArray(wire.tools).length === 0) return {};
  const value = wire.toolChoice;
  const word = isObject(value) ? toText(value.type) : toText(value);
  const choice: ToolChoice = {};
  if (word === "auto" || word === "none" || word === "required") choice.mode = word;
  else if (isObject(value)) {
    const name = toText(toObject(value.function).name) || toText(value.name);
    if (name !== "") Object.assign(choice, { mode: "required", names: [name] });
  }
  const isUnread = choice.mode === undefined && (isObject(value) || typeof value === "string");
  if (typeof wire.parallelToolCalls === "boolean") choice.parallel = wire.parallelToolCalls;
  return {
    ...(Object.keys(choice).length > 0 && { choice }),
    ...(isUnread && { remaining: value }),
  };
}
