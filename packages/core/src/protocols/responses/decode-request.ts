import { noTrace, type Trace } from "../../codec/caller-codec.ts";
import { paramFields, readParams } from "../../codec/params.ts";
import { toSchemaFormat } from "../../family/format.ts";
import { bothIds } from "../../family/params.ts";
import type { Format, TextRequest, Tool } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, toArray, toObject, toText } from "../../json/json.ts";
import { decodeMessages } from "./decode-messages.ts";
import { decodeToolChoice, decodeTools, toolsOfItems } from "./decode-tools.ts";
import { LOGPROBS, params } from "./params.ts";
import { extrasOf, protocol } from "./parts.ts";
import { asksState, decodeAsk, STATE } from "./reasoning.ts";
import type { Wire } from "./schema.ts";

/** `provider` is a member of this service: it chooses a route and is not sent to the model. */
const knownFields = new Set([
  ...paramFields(params),
  "model",
  "input",
  "instructions",
  "stream",
  "provider",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "reasoning",
]);

export function decodeRequest(wire: Wire, trace: Trace = noTrace): TextRequest {
  const record = wire as JsonObject;
  const request: TextRequest = {
    model: toText(record.model),
    stream: record.stream === true,
    messages: decodeMessages(record, trace),
    params: { ...readParams(params, record), ...bothIds(record) },
  };
  const fields: JsonObject = { ...extrasOf(record, knownFields).extra?.fields };
  const tools = allTools(record, trace);
  if (tools.length > 0) {
    request.tools = tools;
    const { choice, other } = decodeToolChoice(record);
    if (choice) request.toolChoice = choice;
    if (other !== undefined) fields.tool_choice = other;
  }
  const { ask, rest } = decodeAsk(record.reasoning);
  if (ask) request.reasoning = ask;
  if (Object.keys(rest).length > 0) fields.reasoning = rest;
  const { verbosity: _, format: shape, ...text } = toObject(record.text);
  const format = decodeFormat(shape);
  if (format) request.format = format;
  else if (isObject(shape)) text.format = shape;
  if (Object.keys(text).length > 0) fields.text = text;
  const implied = (word: Json): boolean => word === LOGPROBS || (word === STATE && asksState(ask));
  const include = toArray(record.include).filter((word) => !implied(word));
  if (include.length > 0) fields.include = include;
  if (Object.keys(fields).length > 0) request.extra = { protocol, fields };
  return request;
}

/** The tools of the request and the functions that its conversation brings beside them. */
function allTools(record: JsonObject, trace: Trace): Tool[] {
  const tools = decodeTools(record.tools, "/tools", trace);
  const names = new Set(tools.map((tool) => (tool.type === "function" ? tool.name : undefined)));
  const items = toArray(record.input).map((item, i) => ({ item, pointer: `/input/${i}` }));
  for (const tool of toolsOfItems(items, trace)) {
    if (names.has(tool.name)) continue;
    names.add(tool.name);
    tools.push(tool);
  }
  return tools;
}

function decodeFormat(json: Json | undefined): Format | undefined {
  const { type, name, description, schema, strict, ...more } = toObject(json);
  // A format with members that the IR cannot say is kept whole beside it.
  if (Object.keys(more).length > 0) return undefined;
  if (type === "text") return { type: "text" };
  if (type === "json_object") return { type: "json" };
  return type === "json_schema" ? toSchemaFormat(toObject(json)) : undefined;
}
