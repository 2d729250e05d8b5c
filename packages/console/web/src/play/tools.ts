import type { Json } from "@manifold-gateway/core/codec";
import type { FunctionTool, Protocol, Tool } from "@manifold-gateway/core/ir";

type Members = Record<string, unknown>;
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The tools as people write them: functions with their parameters, and tools of one protocol as they stand on its wire. */
export const toolsToJson = (tools: readonly Tool[]): unknown =>
  tools.map((tool) => {
    if (tool.type === "opaque") return { protocol: tool.protocol, value: tool.value };
    const { type: _, schema, ...rest } = tool;
    return { ...rest, ...(schema !== undefined && { parameters: schema }) };
  });

/** Tools from JSON, in the form of any protocol. */
export function toolsFromJson(json: unknown): Tool[] {
  const list = Array.isArray(json) ? json : [json];
  const tools = list.flatMap((one, at): Tool[] => {
    if (!isObject(one)) throw new Error(`Tool ${at + 1} is no object.`);
    const { functionDeclarations, function: nested, protocol, value } = one;
    if (Array.isArray(functionDeclarations)) return toolsFromJson(functionDeclarations);
    if (typeof protocol === "string" && value !== undefined)
      return [{ type: "opaque", protocol: protocol as Protocol, value: value as Json }];
    return [toFunction(isObject(nested) ? nested : one, at)];
  });
  const names = tools.flatMap((tool) => (tool.type === "function" ? [tool.name] : []));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`Two tools are called "${twice}".`);
  return tools;
}

function toFunction(members: Members, at: number): FunctionTool {
  const {
    name,
    description,
    parameters,
    input_schema,
    parametersJsonSchema,
    type: _,
    strict,
    ...rest
  } = members;
  if (typeof name !== "string" || name === "") throw new Error(`Tool ${at + 1} has no "name".`);
  const schema = parameters ?? input_schema ?? parametersJsonSchema;
  if (schema !== undefined && !isObject(schema))
    throw new Error(`The parameters of "${name}" are no JSON Schema.`);
  return {
    ...(rest as Partial<FunctionTool>),
    type: "function",
    name,
    ...(typeof description === "string" && { description }),
    ...(schema !== undefined && { schema: schema as Json }),
    ...(typeof strict === "boolean" && { strict }),
  };
}

/** A tool to begin with. */
export const exampleTool: Tool = {
  type: "function",
  name: "get_weather",
  description: "The weather in a city.",
  schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
