import { noTrace, type Trace } from "../../codec/caller-codec.ts";
import { noDialect } from "../../codec/no-dialect.ts";
import { paramFields, readParams, writeParams } from "../../codec/params.ts";
import type { Traits } from "../../codec/traits.ts";
import { fromProtoSchema } from "../../dialect/from-dialect.ts";
import type { Dialect } from "../../dialect/index.ts";
import { rulesFor } from "../../dialect/rules.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Format, Message, TextRequest } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type JsonObject, rest, toObject } from "../../json/json.ts";
import { canonical } from "./casing.ts";
import { type Context, fill, protocol, toExtra } from "./context.ts";
import { decodeMessages, encodeMessages } from "./messages.ts";
import { configFields, params } from "./params.ts";
import { decodeAsk, encodeAsk } from "./reasoning.ts";
import type { Wire } from "./schema.ts";
import { decodeToolChoice, decodeTools, encodeToolChoice, encodeTools } from "./tools.ts";

/** The path names the model and whether to stream, so these members of a body are ignored. */
const knownFields = new Set([
  ...paramFields(params),
  "model",
  "stream",
  "contents",
  "systemInstruction",
  "tools",
  "toolConfig",
]);
const readConfig = new Set([...configFields, "thinkingConfig"]);
const formatFields = new Set(["responseMimeType", "responseSchema", "responseJsonSchema"]);

export function decodeRequest(wire: Wire, trace: Trace = noTrace): TextRequest {
  const record = canonical(wire) as JsonObject;
  const config = toObject(record.generationConfig);
  const request: TextRequest = {
    model: "",
    stream: false,
    messages: decodeMessages(record, trace),
    params: readParams(params, record),
  };
  const tools = decodeTools(record.tools, trace);
  if (tools) request.tools = tools;
  const { choice, remaining: toolsLeft } = decodeToolChoice(record.toolConfig);
  if (choice) request.toolChoice = choice;
  const { ask, remaining: thinkingLeft } = decodeAsk(toObject(config.thinkingConfig));
  if (ask) request.reasoning = ask;
  const format = decodeFormat(config);
  if (format) request.format = format;
  const configLeft = rest(config, format ? new Set([...readConfig, ...formatFields]) : readConfig);
  const generation = { ...configLeft, ...(thinkingLeft && { thinkingConfig: thinkingLeft }) };
  const left: JsonObject = {
    ...(Object.keys(generation).length > 0 && { generationConfig: generation }),
    ...(toolsLeft && { toolConfig: toolsLeft }),
  };
  const { extra } = toExtra({ ...rest(record, knownFields), ...left });
  const partial = Object.keys(left);
  if (extra) request.extra = partial.length > 0 ? { ...extra, partial } : extra;
  return request;
}

export function encodeRequest(
  request: TextRequest,
  lose: Lose,
  traits: Traits = {},
  dialect: Dialect = noDialect,
): Wire {
  const names = namesOf(request.messages);
  const context: Context = { lose, traits, dialect, nameOf: (id) => names.get(id) };
  const wire: JsonObject = encodeMessages(request.messages, context);
  const tools = encodeTools(request.tools ?? [], context);
  if (tools.length > 0) wire.tools = tools;
  const choice = request.toolChoice && encodeToolChoice(request.toolChoice, tools, lose);
  if (choice) wire.toolConfig = choice;
  const thinking = request.reasoning && encodeAsk(request.reasoning, lose, traits);
  const config: JsonObject = {
    ...(request.format && encodeFormat(request.format, context)),
    ...(thinking && { thinkingConfig: thinking }),
  };
  if (Object.keys(config).length > 0) wire.generationConfig = config;
  writeParams(params, request.params, wire, lose, traits);
  return fill(wire, extraFor(protocol, request.extra, lose, "")) as Wire;
}

const namesOf = (messages: readonly Message[]): Map<string, string> =>
  new Map(
    messages.flatMap(({ parts }) =>
      parts.flatMap((part): [string, string][] => (part.type === "call" ? [[part.id, part.name]] : [])),
    ),
  );

const JSON_TYPE = "application/json";

/** The requested shape of the answer. Types that the IR does not model stay in `extra`, with their schema. */
function decodeFormat(config: JsonObject): Format | undefined {
  const { responseMimeType: type, responseSchema, responseJsonSchema } = config;
  const schema =
    responseJsonSchema ?? (isObject(responseSchema) ? fromProtoSchema(responseSchema) : undefined);
  if (type === "text/plain" && schema === undefined) return { type: "text" };
  if (type !== undefined && type !== JSON_TYPE) return undefined;
  if (schema !== undefined) return { type: "schema", schema };
  return type === JSON_TYPE ? { type: "json" } : undefined;
}

function encodeFormat(format: Format, { lose, traits, dialect }: Context): JsonObject {
  if (format.type !== "schema")
    return { responseMimeType: format.type === "json" ? JSON_TYPE : "text/plain" };
  for (const key of ["name", "description", "strict"] as const)
    if (format[key] !== undefined) lose(`/format/${key}`, "unsupported");
  return {
    responseMimeType: JSON_TYPE,
    ...(traits.jsonSchema === false
      ? { responseSchema: dialect.toProtoSchema(format.schema, lose, "/format/schema") }
      : {
          responseJsonSchema: dialect.normalizeSchema(
            format.schema,
            rulesFor(protocol, traits.schemaRefuses, false),
            lose,
            "/format/schema",
          ),
        }),
  };
}
