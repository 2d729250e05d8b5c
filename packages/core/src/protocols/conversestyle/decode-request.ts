import { noTrace, type Trace } from "../../codec/caller-codec.ts";
import { readParams } from "../../codec/params.ts";
import { nonEmptyExtraOf } from "../../ir/extra.ts";
import type { Format, TextRequest } from "../../ir/index.ts";
import { type Json, type JsonObject, parseObject, rest, textOf, toArray, toObject } from "../../json/json.ts";
import { decodeMessages } from "./decode-messages.ts";
import { decodeToolChoice, decodeTools } from "./decode-tools.ts";
import { fieldsOf, params } from "./params.ts";
import { protocol } from "./parts.ts";
import { decodeAsk } from "./reasoning.ts";
import type { Wire } from "./schema.ts";

/** The path names the model and whether to stream. */
const known = new Set(["modelId", "model", "stream", "messages", "system", "requestMetadata"]);
/** Records with members of their own; what is not read of them is extra. */
const records = [
  "inferenceConfig",
  "additionalModelRequestFields",
  "serviceTier",
  "toolConfig",
  "outputConfig",
] as const;

export function decodeRequest(wire: Wire, trace: Trace = noTrace): TextRequest {
  const record = wire as JsonObject;
  const config = toObject(record.toolConfig);
  const tools = decodeTools(toArray(config.tools), trace);
  const toolChoice = decodeToolChoice(config.toolChoice);
  const thinking = decodeAsk(toObject(record.additionalModelRequestFields));
  const format = decodeFormat(toObject(record.outputConfig).textFormat);
  const read: Record<(typeof records)[number], ReadonlySet<string>> = {
    inferenceConfig: fieldsOf("inferenceConfig"),
    serviceTier: fieldsOf("serviceTier"),
    additionalModelRequestFields: new Set([
      ...fieldsOf("additionalModelRequestFields"),
      ...(thinking?.members ?? []),
    ]),
    toolConfig: new Set(["tools", ...(toolChoice ? ["toolChoice"] : [])]),
    outputConfig: new Set(format ? ["textFormat"] : []),
  };
  const fields: JsonObject = {
    ...nonEmptyExtraOf(protocol, record, new Set([...known, ...records])).extra?.fields,
  };
  for (const name of records) {
    const more = rest(toObject(record[name]), read[name]);
    if (more) fields[name] = more;
  }
  const partial = records.filter((name) => fields[name] !== undefined);
  return {
    model: textOf(record.modelId) ?? textOf(record.model) ?? "",
    stream: record.stream === true,
    messages: decodeMessages(wire, trace),
    ...(tools.length > 0 && { tools }),
    ...(toolChoice && { toolChoice }),
    ...(thinking && { reasoning: thinking.ask }),
    ...(format && { format }),
    params: readParams(params, record),
    ...(Object.keys(fields).length > 0 && {
      extra: { protocol, fields, ...(partial.length > 0 && { partial }) },
    }),
  };
}

/** A schema of the answer, which the wire has as text. */
function decodeFormat(json: Json | undefined): Format | undefined {
  const { type, structure, ...more } = toObject(json);
  const { schema, name, description, ...others } = toObject(toObject(structure).jsonSchema);
  const read = parseObject(textOf(schema) ?? "");
  if (type !== "json_schema" || !read || Object.keys({ ...more, ...others }).length > 0) return undefined;
  return {
    type: "schema",
    schema: read,
    ...(typeof name === "string" && { name }),
    ...(typeof description === "string" && { description }),
  };
}
