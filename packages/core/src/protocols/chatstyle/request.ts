import { noTrace, type Trace } from "../../codec/caller-codec.ts";
import { noDialect } from "../../codec/no-dialect.ts";
import { paramFields, readParams, writeParams } from "../../codec/params.ts";
import type { Traits } from "../../codec/traits.ts";
import type { Dialect } from "../../dialect/index.ts";
import { toSchemaFormat, writePlainFormat, writeSchemaFormat } from "../../family/format.ts";
import { lacksWord, nameJson } from "../../family/json-word.ts";
import { bothIds } from "../../family/params.ts";
import type { ToolContext } from "../../family/schemas.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Extra, Format, TextRequest } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type Json, type JsonObject, toArray, toObject, toText } from "../../json/json.ts";
import { decodeMessages, encodeMessages } from "./messages.ts";
import { params, paramsFor } from "./params.ts";
import { extrasOf, protocol } from "./parts.ts";
import { askWithTools, encodeAsk, thinks } from "./reasoning-encode.ts";
import { askFields, decodeAsk } from "./reasoning-request.ts";
import type { Wire } from "./schema.ts";
import { decodeToolChoice, decodeTools, encodeToolChoice, encodeTools } from "./tools.ts";

/** `provider` is a member of this service: it chooses a route and is not sent to the model. */
const knownFields = new Set([
  ...paramFields(params),
  "model",
  "messages",
  "stream",
  "provider",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "functions",
  "function_call",
  "web_search_options",
  ...askFields,
]);

export function decodeRequest(wire: Wire, trace: Trace = noTrace): TextRequest {
  const record = wire as JsonObject;
  const request: TextRequest = {
    model: toText(record.model),
    stream: record.stream === true,
    messages: decodeMessages(toArray(record.messages), trace),
    // Two spellings of one thing, but nothing says that both hold the same.
    params: { ...readParams(params, record), ...bothIds(record) },
  };
  const { stream_options, response_format, ...others } = record;
  const fields: JsonObject = { ...extrasOf(others, knownFields).extra?.fields };
  const tools = decodeTools(record, trace);
  if (tools) request.tools = tools;
  const { choice, remaining } = decodeToolChoice(record);
  if (choice) request.toolChoice = choice;
  Object.assign(fields, remaining);
  const { ask, remaining: unread } = decodeAsk(record);
  if (ask) request.reasoning = ask;
  Object.assign(fields, unread);
  const format = decodeFormat(response_format);
  if (format) request.format = format;
  else if (isObject(response_format)) fields.response_format = response_format;
  // Usage is always requested; the other members of the client's stream options are its own.
  const { include_usage: _, ...options } = toObject(stream_options);
  if (Object.keys(options).length > 0) fields.stream_options = options;
  if (Object.keys(fields).length > 0) request.extra = { protocol, fields } satisfies Extra;
  return request;
}

export function encodeRequest(
  request: TextRequest,
  lose: Lose,
  traits: Traits = {},
  dialect: Dialect = noDialect,
): Wire {
  const context = { lose, traits, dialect };
  const wire: JsonObject = { ...extraFor(protocol, request.extra, lose, "") };
  const options = toObject(wire.stream_options);
  wire.model = request.model;
  const encoded = encodeMessages(request.messages, context);
  const messages = lacksWord(request, request.messages) ? nameJson(encoded, lose) : encoded;
  // The wire refuses an empty list of messages, but takes an empty message.
  wire.messages = messages.length > 0 ? messages : [{ role: "user", content: "" }];
  if (request.stream) {
    wire.stream = true;
    if (traits.streamUsage !== false) wire.stream_options = { ...options, include_usage: true };
    else if ("stream_options" in wire) {
      delete wire.stream_options;
      lose("/stream_options", "unsupported", "the provider refuses it");
    }
  }
  const tools = request.tools ?? [];
  encodeTools(tools, wire, context);
  if (request.toolChoice) encodeToolChoice(request.toolChoice, tools, wire, context);
  const ask = askWithTools(request, lose, traits);
  const { reasoning, ...thinkingFields } = ask ? encodeAsk(ask, lose, traits) : {};
  Object.assign(
    wire,
    thinkingFields,
    reasoning && { reasoning: { ...toObject(wire.reasoning), ...toObject(reasoning) } },
  );
  if (request.format) wire.response_format = encodeFormat(request.format, context);
  writeParams(paramsFor(traits), request.params, wire, lose, traits, thinks(wire, traits));
  return wire as Wire;
}

function decodeFormat(json: Json | undefined): Format | undefined {
  const wire = toObject(json);
  switch (wire.type) {
    case "text":
      return { type: "text" };
    case "json_object":
      return { type: "json" };
    case "json_schema":
      return toSchemaFormat(toObject(wire.json_schema)) ?? { type: "json" };
    default:
      return undefined;
  }
}

const encodeFormat = (format: Format, context: ToolContext): JsonObject =>
  format.type === "schema"
    ? { type: "json_schema", json_schema: writeSchemaFormat(format, { ...context, wire: protocol }) }
    : writePlainFormat(format);
