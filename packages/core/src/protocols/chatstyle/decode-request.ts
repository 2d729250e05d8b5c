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

const noFields: ReadonlySet<string> = new Set();
const voiceFields = new Set(["voice"]);
const pictureFields = new Set(["aspect_ratio", "image_size"]);

export function decodeRequest(wire: Wire, trace: Trace = noTrace): TextRequest {
  const record = wire as JsonObject;
  const { stream_options, response_format, image_config, audio, ...others } = record;
  // Two spellings of one thing, but nothing says that both hold the same.
  const scalars = { ...readParams(params, record), ...bothIds(record) };
  const tools = decodeTools(record, trace);
  const { choice, remaining: choiceLeft } = decodeToolChoice(record);
  const { ask, remaining: askLeft } = decodeAsk(record);
  const format = decodeFormat(response_format);
  // Usage is always requested; the other members of the client's stream options are its own.
  const { include_usage: _, ...options } = toObject(stream_options);
  const pictures = rest(toObject(image_config), pictureFields);
  const sound = rest(toObject(audio), scalars.voice === undefined ? noFields : voiceFields);
  const fields: JsonObject = {
    ...extrasOf(others, knownFields).extra?.fields,
    ...choiceLeft,
    ...askLeft,
    ...(!format && isObject(response_format) && { response_format }),
    ...(Object.keys(options).length > 0 && { stream_options: options }),
    ...(pictures && { image_config: pictures }),
    ...(sound && { audio: sound }),
  };
  // The settings of a template stay whole: a server for which nothing is known of its switch gets them as they are.
  const isSwitched = templateSwitch(record.chat_template_kwargs) !== undefined;
  const partial = [
    ...(pictures ? ["image_config"] : []),
    ...(sound ? ["audio"] : []),
    ...(isSwitched ? ["chat_template_kwargs"] : []),
  ];
  const extra: Extra = {
    protocol,
    fields,
    ...(partial.length > 0 && { partial }),
    ...(isSwitched && { internal: templateSwitches.map((name) => `chat_template_kwargs/${name}`) }),
  };
  return {
    model: toText(record.model),
    stream: record.stream === true,
    messages: decodeMessages(toArray(record.messages), trace),
    ...(tools.length > 0 && { tools }),
    ...(choice && { toolChoice: choice }),
    ...(ask && { reasoning: ask }),
    ...(format && { format }),
    params: scalars,
    ...(Object.keys(fields).length > 0 && { extra }),
  };
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
