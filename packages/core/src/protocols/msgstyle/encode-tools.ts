import { extraFor } from "../../ir/extra.ts";
import type { TextRequest, Tool, ToolChoice } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import type { JsonObject } from "../../json/json.ts";
import { callsOf, chosenTools } from "../chosen-tools.ts";
import { repeatedTools } from "../repeated-tools.ts";
import { noArguments, writeToolSchema } from "../tool-schema.ts";
import { type Context, protocol } from "./parts.ts";

function encodeTool(
  tool: Tool,
  path: string,
  { lose, mark, traits, dialect }: Context,
): JsonObject | undefined {
  if (tool.type === "opaque") {
    if (tool.protocol === protocol) return tool.value as JsonObject;
    lose(path, "unsupported", `a tool that only ${tool.protocol} knows`);
    return undefined;
  }
  if (tool.freeform) lose(`${path}/freeform`, "unsupported");
  const wire: JsonObject = { name: tool.name };
  if (tool.description !== undefined) wire.description = tool.description;
  const { schema, strict } = writeToolSchema(tool, path, { target: protocol, traits, dialect, lose });
  wire.input_schema = schema;
  if (strict !== undefined) wire.strict = strict;
  return mark({ ...wire, ...extraFor(protocol, tool.extra, lose, path) }, tool.cache, path);
}

/** `tools` and `tool_choice` of a request. */
export function encodeTools(request: TextRequest, context: Context): JsonObject {
  const { lose } = context;
  const calls = callsOf(request);
  const kept = chosenTools(request, calls, lose);
  const repeated = repeatedTools(request.tools ?? [], lose);
  const tools = (request.tools ?? []).flatMap((tool, i) => {
    const wire = !repeated.has(tool) && kept(tool, i) ? encodeTool(tool, `/tools/${i}`, context) : undefined;
    return wire ? [wire] : [];
  });
  if (tools.length > 0) {
    const choice = encodeToolChoice(request.toolChoice, lose);
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
    tools: names.map((name) => ({ name, input_schema: noArguments() })),
    tool_choice: { type: "none" },
  };
}

const types = { auto: "auto", required: "any", none: "none" } as const;

function encodeToolChoice(choice: ToolChoice | undefined, lose: Lose): JsonObject | undefined {
  if (!choice) return undefined;
  const { mode = "auto", names, parallel } = choice;
  const one = names?.length === 1 && mode === "required" ? names[0] : undefined;
  const wire: JsonObject = one === undefined ? { type: types[mode] } : { type: "tool", name: one };
  if (parallel === undefined) return wire;
  if (mode === "none") lose("/toolChoice/parallel", "unsupported");
  else wire.disable_parallel_tool_use = !parallel;
  return wire;
}
