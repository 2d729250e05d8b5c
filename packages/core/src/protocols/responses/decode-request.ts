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
  const messages = decodeMessages(record, trace);
  const tools = allTools(record, trace);
  const { choice, remaining: choiceLeft } = tools.length > 0 ? decodeToolChoice(record) : {};
  const { ask, remaining: askLeft } = decodeAsk(record.reasoning);
  const { verbosity: _, format: shape, ...others } = toObject(record.text);
  const format = decodeFormat(shape);
  const text: JsonObject = { ...others, ...(!format && isObject(shape) && { format: shape }) };
  const implied = (word: Json): boolean => word === LOGPROBS || (word === STATE && asksState(ask));
  const include = toArray(record.include).filter((word) => !implied(word));
  const fields: JsonObject = {
    ...extrasOf(record, knownFields).extra?.fields,
    ...(choiceLeft !== undefined && { tool_choice: choiceLeft }),
    ...(askLeft && { reasoning: askLeft }),
    ...(Object.keys(text).length > 0 && { text }),
    ...(include.length > 0 && { include }),
  };
  return {
    model: toText(record.model),
    stream: record.stream === true,
    messages,
    ...(tools.length > 0 && { tools }),
    ...(choice && { toolChoice: choice }),
    ...(ask && { reasoning: ask }),
    ...(format && { format }),
    params: { ...readParams(params, record), ...bothIds(record) },
    ...(Object.keys(fields).length > 0 && { extra: { protocol, fields } }),
  };
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
