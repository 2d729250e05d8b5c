import { noDialect } from "../../codec/no-dialect.ts";
import { writeParams } from "../../codec/params.ts";
import type { Traits } from "../../codec/traits.ts";
import type { Dialect } from "../../dialect/index.ts";
import { rulesFor } from "../../dialect/rules.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Format, Message, TextRequest } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import type { JsonObject } from "../../json/json.ts";
import { encodeMessages } from "./encode-messages.ts";
import { encodeAsk } from "./encode-reasoning.ts";
import { encodeToolChoice, encodeTools } from "./encode-tools.ts";
import { params } from "./params.ts";
import { type Context, fill, JSON_TYPE, protocol } from "./parts.ts";
import type { Wire } from "./schema.ts";

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
  const thinking = request.reasoning && encodeAsk(request.reasoning, request.params.maxTokens, lose, traits);
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
