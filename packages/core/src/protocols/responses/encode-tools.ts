import { type ToolContext, writeSchema } from "../../family/schemas.ts";
import { extraFor } from "../../ir/extra.ts";
import type { FunctionTool, Tool, ToolChoice } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type Json, type JsonObject, toObject, toText } from "../../json/json.ts";
import { protocol } from "./parts.ts";
import { isFunction, namespaceOf, shortName } from "./tools.ts";

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

export function encodeToolChoice(
  { mode, names = [], parallel }: ToolChoice,
  tools: readonly Tool[],
  lose: Lose,
): JsonObject {
  if (!tools.some((tool) => tool.type === "function" || tool.protocol === protocol)) {
    lose("/toolChoice", "unsupported", "there are no tools to choose from");
    return {};
  }
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
