import { noDialect } from "../../codec/no-dialect.ts";
import { writeParams } from "../../codec/params.ts";
import type { Traits } from "../../codec/traits.ts";
import type { Dialect } from "../../dialect/index.ts";
import { rulesFor } from "../../dialect/rules.ts";
import { AS_JSON } from "../../family/json-instruction.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Format, Params, TextRequest } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type Json, type JsonObject, sameJson, toArray, toObject } from "../../json/json.ts";
import { encodeMessages } from "./encode-messages.ts";
import { encodeTools } from "./encode-tools.ts";
import { documentNamer } from "./media.ts";
import { params } from "./params.ts";
import { type Context, protocol } from "./parts.ts";
import { encodeAsk } from "./reasoning.ts";
import type { Wire } from "./schema.ts";

function encodeFormat(
  format: Format | undefined,
  { lose, traits, dialect }: Context,
): JsonObject | undefined {
  if (format?.type === "json") lose("/format", "approximated", "requested in the prompt");
  if (format?.type !== "schema") return undefined;
  const { name, description, strict } = format;
  const schema = dialect.constrainFormat(format.schema, rulesFor(protocol, traits.schemaRefuses));
  if (!sameJson(schema, format.schema))
    lose("/format/schema", "approximated", "rewritten in the dialect of the target");
  if (strict !== undefined) lose("/format/strict", "unsupported");
  const jsonSchema = {
    schema: JSON.stringify(schema),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  };
  return { textFormat: { type: "json_schema", structure: { jsonSchema } } };
}

const MOST_MARKS = 4;

/** The nodes whose marks are written: where there are too many, the last ones. */
function markedNodes({ tools = [], messages }: TextRequest): ReadonlySet<object> {
  const nodes: { cache?: unknown }[] = [
    ...tools,
    ...messages.flatMap(({ parts }) => parts as { cache?: unknown }[]),
  ] as never;
  return new Set(nodes.filter(({ cache }) => cache !== undefined).slice(-MOST_MARKS));
}

export function encodeRequest(
  request: TextRequest,
  lose: Lose,
  traits: Traits = {},
  dialect: Dialect = noDialect,
): Wire {
  const marked = markedNodes(request);
  const context: Context = { lose, traits, dialect, marked, nameDocument: documentNamer() };
  const extra = extraFor(protocol, request.extra, lose, "");
  const toolConfig = encodeTools(request, context);
  const wire: JsonObject = encodeMessages(request.messages, context);
  if (request.format?.type === "json") wire.system = [...toArray(wire.system), { text: AS_JSON }];
  if (toolConfig) wire.toolConfig = toolConfig;
  const settings = encodeAsk(request, wire, lose, traits);
  writeParams(params, withKnownFields(settings.params, lose, traits), wire, lose, traits);
  const additional = { ...toObject(wire.additionalModelRequestFields), ...settings.members };
  if (Object.keys(additional).length > 0) wire.additionalModelRequestFields = additional;
  const outputConfig = encodeFormat(request.format, context);
  if (outputConfig) wire.outputConfig = outputConfig;
  for (const name of Object.keys(extra)) {
    const [kept, written] = [extra[name] as Json, wire[name]];
    wire[name] = isObject(kept) && isObject(written) ? { ...kept, ...written } : (written ?? kept);
  }
  return wire as Wire;
}

/** The parameters without those that the wire has only as members of single models, for a model without them. */
function withKnownFields(all: Params, lose: Lose, { modelFields = [] }: Traits): Params {
  const { topK, ...others } = all;
  if (topK === undefined || modelFields.includes("top_k")) return all;
  lose("/params/topK", "unsupported", "no member for it is known of the model");
  return others;
}
