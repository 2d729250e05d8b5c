import type { Trace } from "../../codec/caller-codec.ts";
import { snake } from "../../codec/snake-case.ts";
import { extraFor, extraOf } from "../../ir/extra.ts";
import type { FunctionTool, Tool, ToolChoice } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";

const fields = new Set(["type", "function", "name", "description", "parameters", "strict"]);

export function decodeTools(wire: JsonObject, trace: Trace): Tool[] | undefined {
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
  return tools.length > 0 ? tools : undefined;
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

/** Reads the choice of tools. What the IR has no word for is given back as `other`. */
export function decodeToolChoice(wire: JsonObject): { choice?: ToolChoice; other?: Json } {
  if (toArray(wire.tools).length === 0) return {};
  const value = wire.toolChoice;
  const word = isObject(value) ? toText(value.type) : toText(value);
  const choice: ToolChoice = {};
  if (word === "auto" || word === "none" || word === "required") choice.mode = word;
  else if (isObject(value)) {
    const name = toText(toObject(value.function).name) || toText(value.name);
    if (name !== "") Object.assign(choice, { mode: "required", names: [name] });
  }
  const other = choice.mode === undefined && (isObject(value) || typeof value === "string");
  if (typeof wire.parallelToolCalls === "boolean") choice.parallel = wire.parallelToolCalls;
  return {
    ...(Object.keys(choice).length > 0 && { choice }),
    ...(other && { other: value }),
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

/** An object with every key spelled the other way. */
function respell(value: JsonObject, spell: (key: string) => string): JsonObject {
  const inner = (json: Json): Json => (isObject(json) ? respell(json, spell) : json);
  return Object.fromEntries(Object.entries(value).map(([key, json]) => [spell(key), inner(json)]));
}
const toCamel = (key: string): string =>
  key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
