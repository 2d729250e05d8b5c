import { extraFor } from "../../ir/extra.ts";
import type { TextRequest, Tool, ToolChoice } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type JsonObject, toObject } from "../../json/json.ts";
import { callsOf, chosenTools } from "../chosen-tools.ts";
import { repeatedTools } from "../repeated-tools.ts";
import { noArguments, writeToolSchema } from "../tool-schema.ts";
import { marksFor } from "./encode-parts.ts";
import { blockOf, type Context, protocol } from "./parts.ts";

function encodeTool(tool: Tool, path: string, context: Context): JsonObject[] {
  const { lose, traits, dialect } = context;
  if (tool.type === "opaque") {
    if (tool.protocol === protocol) return [toObject(tool.value)];
    lose(path, "unsupported", `a tool that only ${tool.protocol} knows`);
    return [];
  }
  if (tool.freeform) lose(`${path}/freeform`, "unsupported");
  const { schema, strict } = writeToolSchema(tool, path, { target: protocol, traits, dialect, lose });
  const spec: JsonObject = {
    name: tool.name,
    // An empty description is refused.
    ...(tool.description && { description: tool.description }),
    inputSchema: { json: schema },
    ...(strict !== undefined && { strict }),
  };
  const block = blockOf("toolSpec", spec, extraFor(protocol, tool.extra, lose, path));
  return [block, ...marksFor(tool, path, context)];
}

/** `toolConfig` of a request, if it has one. */
export function encodeTools(request: TextRequest, context: Context): JsonObject | undefined {
  const { lose } = context;
  const calls = callsOf(request);
  const { toolChoice } = request;
  // Without a word for it, no call is allowed where there are no tools; past calls need theirs.
  const isForbidden = toolChoice?.mode === "none" && calls.length === 0;
  const isChosen = chosenTools(request, calls, lose);
  const repeated = repeatedTools(request.tools ?? [], lose);
  const tools = (request.tools ?? []).flatMap((tool, i): JsonObject[] => {
    if (isForbidden) lose(`/tools/${i}`, "unsupported", "no tool may be called");
    return !isForbidden && !repeated.has(tool) && isChosen(tool, i)
      ? encodeTool(tool, `/tools/${i}`, context)
      : [];
  });
  if (isForbidden) lose("/toolChoice", "approximated", "the tools are left out");
  else if (tools.length > 0) {
    const choice = encodeToolChoice(toolChoice, lose);
    return { tools, ...(choice && { toolChoice: choice }) };
  } else if (calls.length > 0) {
    // The wire refuses past calls without tools.
    lose("/tools", "approximated", "the tools of past calls are declared again");
    if (toolChoice) lose("/toolChoice", "unsupported");
    const names = [...new Set(calls.map(({ name }) => name))];
    return { tools: names.map((name) => ({ toolSpec: { name, inputSchema: { json: noArguments() } } })) };
  } else if (toolChoice) lose("/toolChoice", "unsupported", "there are no tools to choose from");
  return undefined;
}

function encodeToolChoice(choice: ToolChoice | undefined, lose: Lose): JsonObject | undefined {
  if (!choice) return undefined;
  const { mode, names, parallel } = choice;
  if (parallel !== undefined) lose("/toolChoice/parallel", "unsupported");
  if (mode === "none") {
    lose("/toolChoice/mode", "unsupported", "the target cannot forbid calls while there are tools");
    return undefined;
  }
  if (mode === "required") return names?.length === 1 ? { tool: { name: names[0] as string } } : { any: {} };
  return mode === "auto" ? { auto: {} } : undefined;
}
