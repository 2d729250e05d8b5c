import { noDialect } from "../../codec/no-dialect.ts";
import { writeParams } from "../../codec/params.ts";
import type { Traits } from "../../codec/traits.ts";
import type { Dialect } from "../../dialect/index.ts";
import { writePlainFormat, writeSchemaFormat } from "../../family/format.ts";
import { addJsonWord, lacksJsonWord } from "../../family/json-word.ts";
import type { ToolContext } from "../../family/schemas.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Format, TextRequest } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type JsonObject, toObject } from "../../json/json.ts";
import { encodeMessages } from "./encode-messages.ts";
import { askWithTools, encodeAsk, isSwitchedBy, thinks } from "./encode-reasoning.ts";
import { encodeToolChoice, encodeTools } from "./encode-tools.ts";
import { paramsFor } from "./params.ts";
import { protocol } from "./parts.ts";
import type { Wire } from "./schema.ts";

export function encodeRequest(
  request: TextRequest,
  lose: Lose,
  traits: Traits = {},
  dialect: Dialect = noDialect,
): Wire {
  const context = { lose, traits, dialect };
  const wire: JsonObject = { ...extraFor(protocol, request.extra, lose, "") };
  const options = toObject(wire.stream_options);
  // Parameters are added to it.
  if (wire.audio !== undefined) wire.audio = { ...toObject(wire.audio) };
  // A caller of this wire named a format, beside which servers need a voice.
  const taken = wire.audio ? { ...traits, extensions: [...(traits.extensions ?? []), "audio"] } : traits;
  if (wire.image_config !== undefined) wire.image_config = { ...toObject(wire.image_config) };
  wire.model = request.model;
  const encoded = encodeMessages(request.messages, context);
  const messages = lacksJsonWord(request, request.messages) ? addJsonWord(encoded, lose) : encoded;
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
  if (ask && !isSwitchedBy(wire, ask, traits)) mergeRecords(wire, encodeAsk(ask, lose, traits));
  if (request.format) wire.response_format = encodeFormat(request.format, context);
  writeParams(paramsFor(taken), request.params, wire, lose, traits, thinks(wire, traits));
  return wire as Wire;
}

/** Adds members; one that is a record, such as the settings of a template, keeps what it has. */
function mergeRecords(wire: JsonObject, members: JsonObject): void {
  for (const [name, value] of Object.entries(members))
    wire[name] = isObject(value) ? { ...toObject(wire[name]), ...value } : value;
}

const encodeFormat = (format: Format, context: ToolContext): JsonObject =>
  format.type === "schema"
    ? { type: "json_schema", json_schema: writeSchemaFormat(format, { ...context, wire: protocol }) }
    : writePlainFormat(format);
