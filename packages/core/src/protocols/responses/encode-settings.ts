import { writeParams } from "../../codec/params.ts";
import { writePlainFormat, writeSchemaFormat } from "../../family/format.ts";
import type { ToolContext } from "../../family/schemas.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Format, TextRequest } from "../../ir/index.ts";
import { isObject, type JsonObject, toArray, toObject } from "../../json/json.ts";
import { countToolsOfItems } from "./decode-tools.ts";
import { encodeToolChoice, encodeTools } from "./encode-tools.ts";
import { paramsFor } from "./params.ts";
import { protocol } from "./parts.ts";
import { asksState, decodeAsk, encodeAsk, STATE } from "./reasoning.ts";

/** Everything that a request says beside the conversation. */
export function encodeSettings(request: TextRequest, context: ToolContext): JsonObject {
  const { lose, traits } = context;
  const wire: JsonObject = { ...extraFor(protocol, request.extra, lose, "") };
  const { tools = [], toolChoice, reasoning, format } = request;
  const list = encodeTools(
    tools.slice(0, tools.length - countToolsOfItems(tools, request.messages)),
    context,
  );
  if (list.length > 0) wire.tools = list;
  if (toolChoice) Object.assign(wire, encodeToolChoice(toolChoice, tools, lose));
  const ask = { ...toObject(wire.reasoning), ...(reasoning && encodeAsk(reasoning, lose, traits)) };
  if (Object.keys(ask).length > 0) wire.reasoning = ask;
  // A copy: the table writes into it, and `extra` is the request's.
  if (isObject(wire.text) || format)
    wire.text = { ...toObject(wire.text), ...(format && { format: encodeFormat(format, context) }) };
  const include = [...toArray(wire.include), ...(asksState(decodeAsk(wire.reasoning).ask) ? [STATE] : [])];
  delete wire.include;
  const thinks = (toObject(wire.reasoning).effort ?? traits.effort) !== "none";
  writeParams(paramsFor(request.params.safetyId !== undefined), request.params, wire, lose, traits, thinks);
  const all = [...include, ...toArray(wire.include)];
  if (all.length > 0) wire.include = all;
  return wire;
}

const encodeFormat = (format: Format, context: ToolContext): JsonObject =>
  format.type === "schema"
    ? { type: "json_schema", ...writeSchemaFormat(format, { ...context, wire: protocol }) }
    : writePlainFormat(format);
