import type { Trace } from "../../codec/caller-codec.ts";
import { flat } from "../../family/flat-tools.ts";
import type { FunctionTool, Message, Tool, ToolChoice } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { extrasOf, protocol } from "./parts.ts";
import { isFunction, longName } from "./tools.ts";

const functionFields = new Set(["type", "name", "description", "parameters", "strict"]);
const customFields = new Set(["type", "name", "description", "format"]);

/** The tools of a list; those of a namespace stand in its place. */
export function decodeTools(list: Json | undefined, pointer: string, trace: Trace): Tool[] {
  return toArray(list).flatMap((json, i): Tool[] => {
    const wire = toObject(json);
    const nested = toArray(wire.tools);
    if (wire.type !== "namespace" || nested.length === 0) {
      const tool: Tool = decodeTool(wire, undefined) ?? { type: "opaque", protocol, value: json };
      trace(tool, `${pointer}/${i}`);
      return [tool];
    }
    const { type, tools: _, ...namespace } = wire;
    return nested.map((inner, j): Tool => {
      const value = { type, ...namespace, tools: [inner] } as JsonObject;
      const tool: Tool = decodeTool(toObject(inner), namespace) ?? { type: "opaque", protocol, value };
      trace(tool, `${pointer}/${i}/tools/${j}`);
      return tool;
    });
  });
}

function decodeTool(record: JsonObject, namespace: JsonObject | undefined): FunctionTool | undefined {
  // A tool that does not say its type is a function.
  const wire: JsonObject = { ...flat(record), type: record.type ?? "function" };
  if (wire.type !== "function" && wire.type !== "custom") return undefined;
  const description = textOf(wire.description);
  const tool: FunctionTool = {
    type: "function",
    name: longName(textOf(namespace?.name), toText(wire.name)),
    ...(description !== undefined && { description }),
  };
  if (wire.type === "custom") tool.freeform = isObject(wire.format) ? { format: wire.format } : {};
  else {
    if (isObject(wire.parameters)) tool.schema = wire.parameters;
    // The encoder writes this for every tool without a strictness of its own.
    if (wire.strict === true) tool.strict = true;
  }
  const { extra } = extrasOf(wire, wire.type === "custom" ? customFields : functionFields);
  const fields: JsonObject = { ...extra?.fields, ...(namespace && { namespace }) };
  return Object.keys(fields).length > 0 ? { ...tool, extra: { protocol, fields } } : tool;
}

/** The types of items that add tools in the course of a conversation. */
const itemsWithTools = new Set(["additional_tools", "tool_search_output"]);

/** The functions that items of the conversation add, for wires with a single list of tools. */
export const toolsOfItems = (
  items: readonly { item: Json; pointer: string }[],
  trace: Trace,
): FunctionTool[] =>
  items.flatMap(({ item, pointer }) => {
    const wire = toObject(item);
    return itemsWithTools.has(toText(wire.type))
      ? decodeTools(wire.tools, `${pointer}/tools`, trace).filter(isFunction)
      : [];
  });

/** Counts the tools at the end of the list that items of the conversation added. */
export function countToolsOfItems(tools: readonly Tool[], messages: readonly Message[]): number {
  const items = messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === "opaque" && part.protocol === protocol ? [{ item: part.value, pointer: "" }] : [],
    ),
  );
  const brought = new Set(toolsOfItems(items, () => {}).map((tool) => JSON.stringify(tool)));
  let count = 0;
  while (count < tools.length && brought.has(JSON.stringify(tools[tools.length - 1 - count]))) count++;
  return count;
}

/** Reads the choice of tools. What the IR has no word for (a server tool by its type) is left. */
export function decodeToolChoice(wire: JsonObject): { choice?: ToolChoice; remaining?: Json } {
  const choice: ToolChoice = {};
  const { tool_choice: wireChoice, parallel_tool_calls: parallel } = wire;
  if (typeof parallel === "boolean") choice.parallel = parallel;
  let remaining: Json | undefined;
  if (wireChoice === "auto" || wireChoice === "none" || wireChoice === "required") choice.mode = wireChoice;
  else if (isObject(wireChoice)) {
    const names =
      wireChoice.type === "allowed_tools" ? toArray(wireChoice.tools).map(nameIn) : [nameIn(wireChoice)];
    if (names.length === 0 || names.includes(undefined)) remaining = wireChoice;
    else {
      choice.mode =
        wireChoice.type === "allowed_tools" && wireChoice.mode !== "required" ? "auto" : "required";
      choice.names = names as string[];
    }
  } else if (typeof wireChoice === "string") remaining = wireChoice;
  return {
    ...(Object.keys(choice).length > 0 && { choice }),
    ...(remaining !== undefined && { remaining }),
  };
}

const referenceFields = new Set(["type", "name", "namespace"]);

/** The name in a reference to a function; nothing where it refers to anything else, or says more. */
function nameIn(json: Json): string | undefined {
  const wire = flat(json);
  const plain = wire.type === "function" || wire.type === "custom";
  if (!plain || typeof wire.name !== "string" || !Object.keys(wire).every((key) => referenceFields.has(key)))
    return undefined;
  return longName(textOf(wire.namespace), wire.name);
}
