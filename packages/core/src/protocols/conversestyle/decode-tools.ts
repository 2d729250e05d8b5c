import type { Trace } from "../../codec/caller-codec.ts";
import type { Tool, ToolChoice } from "../../ir/index.ts";
import { booleanOf, isObject, type Json, sameJson, textOf, toObject } from "../../json/json.ts";
import { noArguments } from "../tool-schema.ts";
import { markIn } from "./decode-parts.ts";
import { extrasIn, protocol } from "./parts.ts";

const toolFields = new Set(["name", "description", "inputSchema", "strict"]);

/** The tools of a list. A mark belongs to the tool before it. */
export function decodeTools(list: Json[], trace: Trace): Tool[] {
  const tools: Tool[] = [];
  for (const [i, json] of list.entries()) {
    const last = tools.at(-1);
    const mark = markIn(json);
    if (mark && last?.type === "function" && !last.cache) {
      last.cache = mark;
      continue;
    }
    const tool = decodeTool(json);
    trace(tool, `/toolConfig/tools/${i}`);
    tools.push(tool);
  }
  return tools;
}

function decodeTool(json: Json): Tool {
  const wire = toObject(json);
  const { name, description, inputSchema, strict: isStrict } = toObject(wire.toolSpec);
  const { json: schema, ...more } = toObject(inputSchema);
  if (typeof name !== "string" || !isObject(schema) || Object.keys(more).length > 0)
    return { type: "opaque", protocol, value: json };
  const strict = booleanOf(isStrict);
  return {
    type: "function",
    name,
    ...(typeof description === "string" && { description }),
    ...(!sameJson(schema, noArguments()) && { schema }),
    ...(strict !== undefined && { strict }),
    ...extrasIn(wire, "toolSpec", toolFields),
  };
}

/** The choice that the wire names; nothing for kinds that only this wire knows. */
export function decodeToolChoice(json: Json | undefined): ToolChoice | undefined {
  const wire = toObject(json);
  const [kind, more] = Object.keys(wire);
  if (more !== undefined) return undefined;
  if (kind === "auto" || kind === "any") return { mode: kind === "auto" ? "auto" : "required" };
  const name = kind === "tool" ? textOf(toObject(wire.tool).name) : undefined;
  return name === undefined ? undefined : { mode: "required", names: [name] };
}
