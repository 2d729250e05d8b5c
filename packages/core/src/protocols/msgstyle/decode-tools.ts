import type { Trace } from "../../codec/caller-codec.ts";
import type { Tool, ToolChoice } from "../../ir/index.ts";
import { booleanOf, isObject, type Json, sameJson, textOf, toObject } from "../../json/json.ts";
import { noArguments } from "../tool-schema.ts";
import { marksOf, protocol } from "./parts.ts";

const toolFields = new Set(["type", "name", "description", "input_schema", "strict"]);

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
    ...(!sameJson(schema, noArguments()) && { schema }),
    ...(strict !== undefined && { strict }),
    ...marksOf(wire, toolFields),
  };
}

/** The choice that the wire names; nothing for kinds that only this wire knows. */
export function decodeToolChoice(json: Json | undefined): ToolChoice | undefined {
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
