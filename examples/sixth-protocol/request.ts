import {
  compact,
  extraFor,
  extraOf,
  isObject,
  type Json,
  type JsonObject,
  type Lose,
  noTrace,
  paramFields,
  readParams,
  type Trace,
  type Traits,
  textOf,
  toArray,
  toObject,
  toText,
  writeParams,
} from "@manifold-gateway/core/codec";
import type { Format, TextRequest, Tool } from "@manifold-gateway/core/ir";
import { decodeMessages, encodeMessage } from "./messages.ts";
import { params } from "./params.ts";
import { protocol, type Wire } from "./schema.ts";

const fields = new Set([
  ...["model", "stream", "messages", "tools", "tool_choice", "response_format"],
  ...paramFields(params),
]);
const toolFields = new Set(["type", "function"]);
const modes = { REQUIRED: "required", NONE: "none" } as const;

export function decodeRequest(wire: Wire, trace: Trace = noTrace): TextRequest {
  const record = wire as JsonObject;
  const tools = toArray(record.tools).map((json, i) => {
    const tool = decodeTool(toObject(json));
    trace(tool, `/tools/${i}`);
    return tool;
  });
  const mode = modes[toText(record.tool_choice) as keyof typeof modes];
  const format = decodeFormat(record.response_format);
  return {
    model: wire.model,
    stream: wire.stream === true,
    messages: decodeMessages(toArray(record.messages), trace),
    ...(tools.length > 0 && { tools }),
    ...(tools.length > 0 && mode && { toolChoice: { mode } }),
    ...(format && { format }),
    params: readParams(params, record),
    ...extraOf(protocol, record, fields),
  };
}

function decodeTool(wire: JsonObject): Tool {
  const { name, description, parameters } = toObject(wire.function);
  if (wire.type !== "function") return { type: "opaque", protocol, value: wire };
  return {
    type: "function",
    name: toText(name),
    ...(textOf(description) !== undefined && { description: toText(description) }),
    ...(isObject(parameters) && { schema: parameters }),
    ...extraOf(protocol, wire, toolFields),
  };
}

function decodeFormat(json: Json | undefined): Format | undefined {
  const { type, json_schema: schema } = toObject(json);
  if (type === "text") return { type };
  if (type !== "json_object") return undefined;
  return isObject(schema) ? { type: "schema", schema } : { type: "json" };
}

export function encodeRequest(request: TextRequest, lose: Lose, traits: Traits = {}): Wire {
  const wire: JsonObject = {
    ...extraFor(protocol, request.extra, lose, ""),
    model: request.model,
    stream: request.stream,
    messages: request.messages.flatMap((message, i) => encodeMessage(message, `/messages/${i}`, lose)),
  };
  const tools = (request.tools ?? []).flatMap((tool, i) => encodeTool(tool, `/tools/${i}`, lose) ?? []);
  if (tools.length > 0) wire.tools = tools;
  encodeChoice(request, wire, lose);
  if (request.reasoning) lose("/reasoning", "unsupported");
  if (request.format) wire.response_format = encodeFormat(request.format, lose);
  writeParams(params, request.params, wire, lose, traits);
  return wire as Wire;
}

function encodeTool(tool: Tool, path: string, lose: Lose): JsonObject | undefined {
  if (tool.type === "opaque") {
    if (tool.protocol === protocol && isObject(tool.value)) return tool.value;
    lose(path, "unsupported", "a server tool of another protocol");
    return undefined;
  }
  for (const member of ["strict", "freeform", "cache"] as const)
    if (tool[member] !== undefined) lose(`${path}/${member}`, "unsupported");
  const { name, description, schema = { type: "object", properties: {} } } = tool;
  return {
    ...extraFor(protocol, tool.extra, lose, path),
    type: "function",
    function: compact({ name, description, parameters: schema }) as JsonObject,
  };
}

function encodeChoice({ toolChoice }: TextRequest, wire: JsonObject, lose: Lose): void {
  if (!toolChoice) return;
  if (wire.tools === undefined) {
    lose("/toolChoice", "unsupported", "there are no tools to choose from");
    return;
  }
  const { mode, names, parallel } = toolChoice;
  if (mode === "required" || mode === "none") wire.tool_choice = mode === "required" ? "REQUIRED" : "NONE";
  if (names) lose("/toolChoice/names", "unsupported");
  if (parallel !== undefined) lose("/toolChoice/parallel", "unsupported");
}

function encodeFormat(format: Format, lose: Lose): JsonObject {
  if (format.type === "text") return { type: "text" };
  if (format.type === "json") return { type: "json_object" };
  for (const member of ["name", "description", "strict"] as const)
    if (format[member] !== undefined) lose(`/format/${member}`, "unsupported");
  return { type: "json_object", json_schema: format.schema };
}
