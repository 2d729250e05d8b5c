import type { Trace } from "../../codec/caller-codec.ts";
import { type ToolContext, writeSchema } from "../../family/schemas.ts";
import { extraFor } from "../../ir/extra.ts";
import type { FunctionTool, Message, Tool, ToolChoice } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { extrasOf, protocol, wireFieldsOf } from "./parts.ts";

/**
 * Tools of a namespace go by their short names on this wire. Elsewhere names stand alone, so the IR has both
 * in one, and `extra` keeps the namespace apart to find the border again.
 */
export const longName = (namespace: string | undefined, name: string): string =>
  namespace === undefined ? name : prefix(namespace) + name;

/** The short name; nothing where `name` does not stand in the namespace. */
export const shortName = (namespace: string, name: string): string | undefined =>
  name.startsWith(prefix(namespace)) ? name.slice(prefix(namespace).length) : undefined;

const prefix = (namespace: string): string => (namespace.endsWith("__") ? namespace : `${namespace}__`);

/** The namespace that a tool or a call came with. */
export const namespaceOf = (node: FunctionTool): string | undefined =>
  textOf(toObject(wireFieldsOf(node).namespace).name);

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
  const wire: JsonObject = { ...record, type: record.type ?? "function" };
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

/** Items that bring tools into the conversation. */
const bringing = new Set(["additional_tools", "tool_search_output"]);

/** The functions that items of the conversation bring, for wires that know only one list of tools. */
export const broughtTools = (
  items: readonly { item: Json; pointer: string }[],
  trace: Trace,
): FunctionTool[] =>
  items.flatMap(({ item, pointer }) => {
    const wire = toObject(item);
    return bringing.has(toText(wire.type))
      ? decodeTools(wire.tools, `${pointer}/tools`, trace).filter(isFunction)
      : [];
  });

/** A tool without a name cannot be called. */
const isFunction = (tool: Tool): tool is FunctionTool => tool.type === "function" && tool.name !== "";

/** Counts the tools at the end of the list that are there only because items of the conversation bring them. */
export function countBrought(tools: readonly Tool[], messages: readonly Message[]): number {
  const items = messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === "opaque" && part.protocol === protocol ? [{ item: part.value, pointer: "" }] : [],
    ),
  );
  const brought = new Set(broughtTools(items, () => {}).map((tool) => JSON.stringify(tool)));
  let count = 0;
  while (count < tools.length && brought.has(JSON.stringify(tools[tools.length - 1 - count]))) count++;
  return count;
}

/** Tools as the wire has them: neighbours of one namespace stand in it together. */
export function encodeTools(tools: readonly Tool[], context: ToolContext): JsonObject[] {
  const { lose } = context;
  const list: JsonObject[] = [];
  let open: { header: string; tools: Json[] } | undefined;
  tools.forEach((tool, i) => {
    const path = `/tools/${i}`;
    if (tool.type === "opaque") {
      open = undefined;
      if (tool.protocol === protocol) list.push(toObject(tool.value));
      else lose(path, "unsupported", "a server tool of another protocol");
      return;
    }
    const { namespace, ...fields } = extraFor(protocol, tool.extra, lose, path);
    const short = isObject(namespace) ? shortName(toText(namespace.name), tool.name) : undefined;
    const wire = encodeTool(tool, short ?? tool.name, fields, path, context);
    if (short === undefined) {
      open = undefined;
      if (namespace !== undefined) lose(`${path}/extra/namespace`, "unsupported");
      list.push(wire);
      return;
    }
    const header = JSON.stringify(namespace);
    if (open?.header === header) {
      open.tools.push(wire);
      return;
    }
    open = { header, tools: [wire] };
    list.push({ ...toObject(namespace), type: "namespace", tools: open.tools });
  });
  return list;
}

function encodeTool(
  tool: FunctionTool,
  name: string,
  fields: JsonObject,
  path: string,
  context: ToolContext,
): JsonObject {
  const { description, schema, strict, freeform, cache } = tool;
  const { lose } = context;
  if (cache) lose(`${path}/cache`, "unsupported");
  const described = { ...fields, name, ...(description !== undefined && { description }) };
  if (freeform) {
    if (strict !== undefined) lose(`${path}/strict`, "unsupported");
    if (schema !== undefined) lose(`${path}/schema`, "unsupported");
    return {
      ...described,
      type: "custom",
      ...(freeform.format !== undefined && { format: freeform.format }),
    };
  }
  // Absent, the server would try to be strict.
  if (schema === undefined)
    return { ...described, type: "function", parameters: null, strict: strict === true };
  const written = writeSchema(schema, strict, { ...context, wire: protocol, path });
  return { ...described, type: "function", parameters: written.schema, strict: written.strict === true };
}

/** Reads the choice of tools. What the IR has no word for (a server tool by its type) is given back as `other`. */
export function decodeToolChoice(wire: JsonObject): { choice?: ToolChoice; other?: Json } {
  const choice: ToolChoice = {};
  const { tool_choice: wireChoice, parallel_tool_calls: parallel } = wire;
  if (typeof parallel === "boolean") choice.parallel = parallel;
  let other: Json | undefined;
  if (wireChoice === "auto" || wireChoice === "none" || wireChoice === "required") choice.mode = wireChoice;
  else if (isObject(wireChoice)) {
    const names =
      wireChoice.type === "allowed_tools" ? toArray(wireChoice.tools).map(nameIn) : [nameIn(wireChoice)];
    if (names.length === 0 || names.includes(undefined)) other = wireChoice;
    else {
      choice.mode =
        wireChoice.type === "allowed_tools" && wireChoice.mode !== "required" ? "auto" : "required";
      choice.names = names as string[];
    }
  } else if (typeof wireChoice === "string") other = wireChoice;
  return {
    ...(Object.keys(choice).length > 0 && { choice }),
    ...(other !== undefined && { other }),
  };
}

const referenceFields = new Set(["type", "name", "namespace"]);

/** The name in a reference to a function; nothing where it refers to anything else, or says more. */
function nameIn(json: Json): string | undefined {
  const wire = toObject(json);
  const plain = wire.type === "function" || wire.type === "custom";
  if (!plain || typeof wire.name !== "string" || !Object.keys(wire).every((key) => referenceFields.has(key)))
    return undefined;
  return longName(textOf(wire.namespace), wire.name);
}

export function encodeToolChoice(
  { mode, names = [], parallel }: ToolChoice,
  tools: readonly Tool[],
  lose: Lose,
): JsonObject {
  // Without tools there is nothing to choose from.
  if (tools.length === 0) return {};
  const reference = (name: string): JsonObject => {
    const tool = tools.filter(isFunction).find((one) => one.name === name);
    const namespace = tool && namespaceOf(tool);
    const short = namespace === undefined ? undefined : shortName(namespace, name);
    return {
      type: tool?.freeform ? "custom" : "function",
      name: short ?? name,
      ...(short !== undefined && { namespace: namespace as string }),
    };
  };
  const wire: JsonObject = parallel === undefined ? {} : { parallel_tool_calls: parallel };
  if (names.length === 0) return { ...wire, ...(mode && { tool_choice: mode }) };
  if (mode === "none") {
    lose("/toolChoice/names", "unsupported");
    return { ...wire, tool_choice: mode };
  }
  if (!mode) lose("/toolChoice/mode", "approximated");
  const [first] = names;
  if (mode === "required" && names.length === 1) return { ...wire, tool_choice: reference(first as string) };
  const choice = { type: "allowed_tools", mode: mode ?? "auto", tools: names.map(reference) };
  return { ...wire, tool_choice: choice };
}
