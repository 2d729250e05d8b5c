import { noTrace, type Trace } from "../../codec/caller-codec.ts";
import { readParams } from "../../codec/params.ts";
import type { Format, TextRequest } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, rest, toArray, toObject } from "../../json/json.ts";
import { decodeThinking } from "../decode-thinking.ts";
import { isEffort } from "../efforts.ts";
import { decodeMessages } from "./decode-messages.ts";
import { decodeToolChoice, decodeTools } from "./decode-tools.ts";
import { params } from "./params.ts";
import { extrasOf, protocol } from "./parts.ts";
import type { Wire } from "./schema.ts";

/** Fields that are read whole. */
const wholeFields = new Set(["model", "messages", "system", "stream", "tools", "metadata", "output_config"]);
const scalars = params.map((row) => row.wire);

export function decodeRequest(wire: Wire, trace: Trace = noTrace): TextRequest {
  const record = wire as JsonObject;
  const config = toObject(record.output_config);
  const tools = decodeTools(toArray(record.tools), trace);
  const toolChoice = decodeToolChoice(record.tool_choice);
  const { ask, whole } = decodeThinking(record);
  const format = decodeFormat(config.format) ?? decodeFormat(record.output_format);
  const read = new Set([...wholeFields, ...scalars]);
  if (toolChoice) read.add("tool_choice");
  if (whole) read.add("thinking");
  if (format && !isObject(config.format)) read.add("output_format");
  const { extra } = extrasOf(record, read);
  const fields: JsonObject = { ...extra?.fields };
  // The unknown members beside a known one of a nested record are extra as well.
  const more = rest(
    config,
    new Set([...(isEffort(config.effort) ? ["effort"] : []), ...(format ? ["format"] : [])]),
  );
  const tags = rest(toObject(record.metadata), new Set(["user_id"]));
  if (more) fields.output_config = more;
  if (tags) fields.metadata = tags;
  return {
    model: wire.model,
    stream: wire.stream === true,
    messages: decodeMessages(wire, trace),
    ...(tools.length > 0 && { tools }),
    ...(toolChoice && { toolChoice }),
    ...(ask && { reasoning: ask }),
    ...(format && { format }),
    params: readParams(params, record),
    ...(Object.keys(fields).length > 0 && { extra: { protocol, fields } }),
  };
}

function decodeFormat(json: Json | undefined): Format | undefined {
  const { type, schema, ...more } = toObject(json);
  return type === "json_schema" && isObject(schema) && Object.keys(more).length === 0
    ? { type: "schema", schema }
    : undefined;
}
