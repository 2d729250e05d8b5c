import type { Trace } from "../../codec/codec.ts";
import type { Traits } from "../../codec/traits.ts";
import { normalizeSchema, rulesFor } from "../../dialect/index.ts";
import { extraFor } from "../../ir/extra.ts";
import type { CallPart, FunctionTool, TextRequest, Tool, ToolChoice } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import {
  booleanOf,
  isObject,
  type Json,
  type JsonObject,
  sameJson,
  textOf,
  toObject,
} from "../../json/json.ts";
import { repeatedTools } from "../repeated-tools.ts";
import { constrainTool } from "./constrained-schema.ts";
import { type Context, marksOf, protocol } from "./parts.ts";

const toolFields = new Set(["type", "name", "description", "input_schema", "strict"]);

/** The schema of a tool without arguments: the wire wants one. */
const none = (): JsonObject => ({ type: "object" });

export function decodeTools(list: Json[], trace: Trace): Tool[] {
  return list.map((json, i) => {
    const tool = decodeTool(json);
    trace(tool, `/tools/${i}`);
    return tool;
  });
}

function decodeTool(json: Json): Tool {
  const wire = toObject(json);
  const { type, name, description, input_schema: schema } = wire;
  const ordinary = type === undefined || type === null || type === "custom";
  if (!ordinary || typeof name !== "string" || !isObject(schema))
    return { type: "opaque", protocol, value: json };
  const strict = booleanOf(wire.strict);
  return {
    type: "function",
    name,
    ...(typeof description === "string" && { description }),
    ...(!sameJson(schema, none()) && { schema }),
    ...(strict !== undefined && { strict }),
    ...marksOf(wire, toolFields),
  };
}

function encodeTool(tool: Tool, path: string, { lose, mark, traits }: Context): JsonObject | undefined {
  if (tool.type === "opaque") {
    if (tool.protocol === protocol) return tool.value as JsonObject;
    lose(path, "unsupported", `a tool that only ${tool.protocol} knows`);
    return undefined;
  }
  if (tool.freeform) lose(`${path}/freeform`, "unsupported");
  const wire: JsonObject = { name: tool.name };
  if (tool.description !== undefined) wire.description = tool.description;
  Object.assign(wire, schemaFor(tool, path, lose, traits));
  return mark({ ...wire, ...extraFor(protocol, tool.extra, lose, path) }, tool.cache, path);
}

function schemaFor(tool: FunctionTool, path: string, lose: Lose, traits: Traits): JsonObject {
  const { schema } = tool;
  const at = `${path}/schema`;
  if (tool.strict && traits.strict === false) lose(`${path}/strict`, "unsupported");
  // A model without the setting refuses it whatever it says.
  const strict = traits.strict === false ? undefined : tool.strict;
  if (schema === undefined) return { input_schema: none(), ...(strict !== undefined && { strict }) };
  if (strict) {
    const constrained = constrainTool(schema, traits);
    if (constrained) {
      if (!sameJson(constrained, schema)) lose(at, "approximated", "rewritten in the dialect of the target");
      return { input_schema: constrained, strict };
    }
    lose(`${path}/strict`, "unsupported", "the schema recurs, or has objects of any properties");
  }
  const written = normalizeSchema(schema, rulesFor(protocol, traits.schemaRefuses), lose, at);
  return { input_schema: written, ...(strict === false && { strict }) };
}

const callsOf = ({ messages }: TextRequest): CallPart[] =>
  messages.flatMap(
    ({ parts }) => (parts as { type: string }[]).filter((part) => part.type === "call") as CallPart[],
  );

/** `tools` and `tool_choice` of a request. */
export function encodeTools(request: TextRequest, context: Context): JsonObject {
  const { lose } = context;
  const calls = callsOf(request);
  const kept = narrowed(request, calls, lose);
  const repeated = repeatedTools(request.tools ?? [], lose);
  const tools = (request.tools ?? []).flatMap((tool, i) => {
    const wire = !repeated.has(tool) && kept(tool, i) ? encodeTool(tool, `/tools/${i}`, context) : undefined;
    return wire ? [wire] : [];
  });
  if (tools.length > 0) {
    const choice = encodeChoice(request.toolChoice, lose);
    return { tools, ...(choice && { tool_choice: choice }) };
  }
  if (calls.length === 0) {
    if (request.toolChoice) lose("/toolChoice", "unsupported", "there are no tools to choose from");
    return {};
  }
  // The wire refuses past calls without tools, even if none may be called now.
  lose("/tools", "approximated", "the tools of past calls are declared again");
  lose("/toolChoice", "approximated", "no tool may be called");
  const names = [...new Set(calls.map(({ name }) => name))];
  return {
    tools: names.map((name) => ({ name, input_schema: none() })),
    tool_choice: { type: "none" },
  };
}

/**
 * The tools to write. The wire can name one tool or all, so for a set of several the others are left out, unless
 * the conversation has called one of them.
 */
function narrowed(
  { tools = [], toolChoice }: TextRequest,
  calls: CallPart[],
  lose: Lose,
): (tool: Tool, i: number) => boolean {
  const names = toolChoice?.names;
  if (!names || (names.length === 1 && toolChoice.mode === "required")) return () => true;
  const isNamed = (tool: Tool): boolean => tool.type === "function" && names.includes(tool.name);
  if (!tools.some(isNamed) || calls.some(({ name }) => !names.includes(name))) {
    lose("/toolChoice/names", "unsupported", "the conversation uses other tools as well");
    return () => true;
  }
  lose("/toolChoice/names", "approximated", "the other tools are left out");
  return (tool, i) => {
    const named = isNamed(tool);
    if (!named) lose(`/tools/${i}`, "approximated", "left out, because the choice does not name it");
    return named;
  };
}

const types = { auto: "auto", required: "any", none: "none" } as const;

function encodeChoice(choice: ToolChoice | undefined, lose: Lose): JsonObject | undefined {
  if (!choice) return undefined;
  const { mode = "auto", names, parallel } = choice;
  const one = names?.length === 1 && mode === "required" ? names[0] : undefined;
  const wire: JsonObject = one === undefined ? { type: types[mode] } : { type: "tool", name: one };
  if (parallel === undefined) return wire;
  if (mode === "none") lose("/toolChoice/parallel", "unsupported");
  else wire.disable_parallel_tool_use = !parallel;
  return wire;
}

/** The choice that the wire names; nothing for kinds that only this wire knows. */
export function decodeChoice(json: Json | undefined): ToolChoice | undefined {
  const wire = toObject(json);
  const disabled = booleanOf(wire.disable_parallel_tool_use);
  const parallel = disabled === undefined ? {} : { parallel: !disabled };
  switch (wire.type) {
    case "auto":
      return { mode: "auto", ...parallel };
    case "any":
      return { mode: "required", ...parallel };
    case "none":
      return { mode: "none" };
    case "tool": {
      const name = textOf(wire.name);
      return name === undefined ? undefined : { mode: "required", names: [name], ...parallel };
    }
    default:
      return undefined;
  }
}
