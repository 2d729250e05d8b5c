import { noTrace, type Trace } from "../../codec/caller-codec.ts";
import { paramFields, readParams } from "../../codec/params.ts";
import { toSchemaFormat } from "../../family/format.ts";
import { bothIds } from "../../family/params.ts";
import type { Extra, Format, TextRequest } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, rest, toArray, toObject, toText } from "../../json/json.ts";
import { decodeMessages } from "./decode-messages.ts";
import { askFields, decodeAsk } from "./decode-reasoning.ts";
import { decodeToolChoice, decodeTools } from "./decode-tools.ts";
import { params } from "./params.ts";
import { extrasOf, protocol } from "./parts.ts";
import type { Wire } from "./schema.ts";
import { templateSwitch, templateSwitches } from "./template-switch.ts";

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

const voiceFields = new Set(["voice"]);
const pictureFields = new Set(["aspect_ratio", "image_size"]);

export function decodeRequest(wire: Wire, trace: Trace = noTrace): TextRequest {
  const record = wire as JsonObject;
  const request: TextRequest = {
    model: toText(record.model),
    stream: record.stream === true,
    messages: decodeMessages(toArray(record.messages), trace),
    // Two spellings of one thing, but nothing says that both hold the same.
    params: { ...readParams(params, record), ...bothIds(record) },
  };
  const { stream_options, response_format, image_config, audio, ...others } = record;
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
  const pictures = rest(toObject(image_config), pictureFields);
  if (pictures) fields.image_config = pictures;
  const sound = request.params.voice === undefined ? toObject(audio) : rest(toObject(audio), voiceFields);
  if (sound && Object.keys(sound).length > 0) fields.audio = sound;
  if (Object.keys(fields).length > 0) {
    // The settings of a template stay whole: a server for which nothing is known of its switch gets them as they are.
    const isSwitched = templateSwitch(record.chat_template_kwargs) !== undefined;
    const partial = [
      ...(pictures ? ["image_config"] : []),
      ...(fields.audio === undefined ? [] : ["audio"]),
      ...(isSwitched ? ["chat_template_kwargs"] : []),
    ];
    request.extra = {
      protocol,
      fields,
      ...(partial.length > 0 && { partial }),
      ...(isSwitched && { internal: templateSwitches.map((name) => `chat_template_kwargs/${name}`) }),
    } satisfies Extra;
  }
  return request;
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
