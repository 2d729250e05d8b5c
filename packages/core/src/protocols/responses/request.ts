import { noTrace, type Trace } from "../../codec/caller-codec.ts";
import { noDialect } from "../../codec/no-dialect.ts";
import { paramFields, readParams, writeParams } from "../../codec/params.ts";
import type { Traits } from "../../codec/traits.ts";
import type { Dialect } from "../../dialect/index.ts";
import { toSchemaFormat, writePlainFormat, writeSchemaFormat } from "../../family/format.ts";
import { AS_JSON } from "../../family/json-instruction.ts";
import { lacksWord, reportWord } from "../../family/json-word.ts";
import { bothIds } from "../../family/params.ts";
import type { ToolContext } from "../../family/schemas.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Format, TextRequest, Tool } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type Json, type JsonObject, toArray, toObject, toText } from "../../json/json.ts";
import { decodeMessages, encodeMessages } from "./messages.ts";
import { LOGPROBS, params, paramsFor } from "./params.ts";
import { extrasOf, protocol } from "./parts.ts";
import { asksState, decodeAsk, encodeAsk, STATE } from "./reasoning.ts";
import type { Wire } from "./schema.ts";
import {
  broughtTools,
  countBrought,
  decodeToolChoice,
  decodeTools,
  encodeToolChoice,
  encodeTools,
} from "./tools.ts";

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
  for (const tool of broughtTools(items, trace)) {
    if (names.has(tool.name)) continue;
    names.add(tool.name);
    tools.push(tool);
  }
  return tools;
}

export function encodeRequest(
  request: TextRequest,
  lose: Lose,
  traits: Traits = {},
  dialect: Dialect = noDialect,
): Wire {
  // The server looks for the word in the items only, so the system text that has it is one of them.
  const isNamed = !lacksWord(request, request.messages.slice(1));
  const { instructions, input } = encodeMessages(request.messages, { lose, traits }, !isNamed);
  if (lacksWord(request, request.messages)) {
    reportWord(lose);
    input.unshift({ type: "message", role: "system", content: AS_JSON });
  }
  const wire: JsonObject = {
    model: request.model,
    ...(instructions !== undefined && { instructions }),
    input: input.length > 0 || request.messages.length === 0 ? input : [SILENCE],
    ...(request.stream && { stream: true }),
    ...encodeSettings(request, { lose, traits, dialect }),
  };
  return wire as Wire;
}

/** The placeholder for an empty conversation: the vendor refuses an empty list. */
const SILENCE: JsonObject = { type: "message", role: "user", content: "" };

/** Everything that a request says beside the conversation. */
export function encodeSettings(request: TextRequest, context: ToolContext): JsonObject {
  const { lose, traits } = context;
  const wire: JsonObject = { ...extraFor(protocol, request.extra, lose, "") };
  const { tools = [], toolChoice, reasoning, format } = request;
  const list = encodeTools(tools.slice(0, tools.length - countBrought(tools, request.messages)), context);
  if (list.length > 0) wire.tools = list;
  if (toolChoice) Object.assign(wire, encodeToolChoice(toolChoice, tools, lose));
  const ask = { ...toObject(wire.reasoning), ...(reasoning && encodeAsk(reasoning, lose, traits)) };
  if (Object.keys(ask).length > 0) wire.reasoning = ask;
  // A copy: the table writes into it, and `extra` is the request's.
  if (isObject(wire.text) || format)
    wire.text = { ...toObject(wire.text), ...(format && { format: encodeFormat(format, context) }) };
  const include = [...toArray(wire.include), ...(asksState(decodeAsk(wire.reasoning).ask) ? [STATE] : [])];
  delete wire.include;
  const thinks = (toObject(wire.reasoning).effort ?? traits.effort) !== "none";
  writeParams(paramsFor(request.params.safetyId !== undefined), request.params, wire, lose, traits, thinks);
  const all = [...include, ...toArray(wire.include)];
  if (all.length > 0) wire.include = all;
  return wire;
}

function decodeFormat(json: Json | undefined): Format | undefined {
  const { type, name, description, schema, strict, ...more } = toObject(json);
  // A format with members that the IR cannot say is kept whole beside it.
  if (Object.keys(more).length > 0) return undefined;
  if (type === "text") return { type: "text" };
  if (type === "json_object") return { type: "json" };
  return type === "json_schema" ? toSchemaFormat(toObject(json)) : undefined;
}

const encodeFormat = (format: Format, context: ToolContext): JsonObject =>
  format.type === "schema"
    ? { type: "json_schema", ...writeSchemaFormat(format, { ...context, wire: protocol }) }
    : writePlainFormat(format);
