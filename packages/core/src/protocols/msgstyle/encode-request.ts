import { noDialect } from "../../codec/no-dialect.ts";
import { writeParams } from "../../codec/params.ts";
import type { Traits } from "../../codec/traits.ts";
import type { Dialect } from "../../dialect/index.ts";
import { rulesFor } from "../../dialect/rules.ts";
import { AS_JSON } from "../../family/json-instruction.ts";
import { extraFor } from "../../ir/extra.ts";
import type { CacheMark, Format, TextRequest } from "../../ir/index.ts";
import { ignoreLosses, type Lose } from "../../ir/loss.ts";
import {
  compact,
  isObject,
  type Json,
  type JsonObject,
  sameJson,
  toArray,
  toObject,
} from "../../json/json.ts";
import { encodeThinking } from "../encode-thinking.ts";
import { paramsWithThinking } from "../with-thinking.ts";
import { encodeMessages } from "./encode-messages.ts";
import { encodeTools } from "./encode-tools.ts";
import { params } from "./params.ts";
import { type Context, protocol } from "./parts.ts";
import type { Wire } from "./schema.ts";
import { turnsOf } from "./turns.ts";
import { withoutMembers } from "./without-members.ts";

const systemBlocks = (system: Json | undefined): Json[] =>
  typeof system === "string" ? [{ type: "text", text: system }] : toArray(system);

function encodeFormat(
  format: Format | undefined,
  { lose, traits, dialect }: Context,
): JsonObject | undefined {
  if (!format) return undefined;
  if (format.type !== "schema") {
    if (format.type === "json") lose("/format", "approximated", "requested in the prompt");
    return undefined;
  }
  for (const name of ["name", "description", "strict"] as const)
    if (format[name] !== undefined) lose(`/format/${name}`, "unsupported");
  const schema = dialect.constrainFormat(format.schema, rulesFor(protocol, traits.schemaRefuses));
  if (!sameJson(schema, format.schema))
    lose("/format/schema", "approximated", "rewritten in the dialect of the target");
  return { type: "json_schema", schema };
}

export function encodeRequest(
  request: TextRequest,
  lose: Lose,
  traits: Traits = {},
  dialect: Dialect = noDialect,
): Wire {
  const marks = markKeeper(lose);
  const context: Context = { lose, traits, dialect, mark: marks.mark };
  const extra = extraFor(protocol, request.extra, lose, "");
  const wire: JsonObject = { model: request.model };
  const tools = encodeTools(request, context);
  Object.assign(wire, encodeMessages(request.messages, context), tools);
  marks.trim(isObject(extra.cache_control) ? 1 : 0);
  // The wire's own settings for thinking are written back as they were.
  const loseAsk = extra.thinking === undefined ? lose : ignoreLosses;
  const settings = encodeThinking(request, turnsOf(wire), loseAsk, traits);
  const { thinking, effort, maxTokens } = settings;
  const format = encodeFormat(request.format, context);
  if (request.format?.type === "json")
    wire.system = [...systemBlocks(wire.system), { type: "text", text: AS_JSON }];
  const thinks = thinking !== undefined && thinking.type !== "disabled";
  writeParams(params, paramsWithThinking(settings, request.params, lose, traits), wire, lose, traits, thinks);
  if (wire.max_tokens === undefined) {
    wire.max_tokens = maxTokens;
    // The most that the model gives limits nothing.
    if (maxTokens !== traits.maxOutput)
      lose("/params/maxTokens", "approximated", `the target wants a limit; it is ${maxTokens}`);
  }
  if (request.stream) wire.stream = true;
  if (thinking) wire.thinking = thinking;
  const config = { ...toObject(extra.output_config), ...(effort && { effort }), ...(format && { format }) };
  if (Object.keys(config).length > 0) wire.output_config = config;
  const metadata = { ...toObject(extra.metadata), ...toObject(wire.metadata) };
  if (Object.keys(metadata).length > 0) wire.metadata = metadata;
  const { output_config: _, metadata: _m, ...others } = extra;
  const whole = { ...wire, ...others };
  if (traits.requestWithout === undefined) return whole as Wire;
  // A member that is left out has a place on the wire and none in the request, so that the loss is of the whole.
  const left = withoutMembers(whole, traits, (path, why) => lose("", why, path));
  return compact({ ...whole, ...left }) as Wire;
}

const MOST_MARKS = 4;

/** Puts cache marks on wire nodes and, at the end, takes the first ones off again where there are too many. */
function markKeeper(lose: Lose): { mark: Context["mark"]; trim(others: number): void } {
  const marked: [node: JsonObject, path: string][] = [];
  return {
    mark(node, cache: CacheMark | undefined, path) {
      if (!cache) return node;
      const more = toObject(node.cache_control);
      node.cache_control = { type: "ephemeral", ...(cache.ttl && { ttl: cache.ttl }), ...more };
      marked.push([node, path]);
      return node;
    },
    trim(others) {
      const excess = Math.max(0, marked.length + others - MOST_MARKS);
      for (const [node, path] of marked.slice(0, excess)) {
        delete node.cache_control;
        lose(`${path}/cache`, "unsupported", `only the last ${MOST_MARKS} marks are kept`);
      }
    },
  };
}
