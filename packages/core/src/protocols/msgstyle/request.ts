import { noTrace, type Trace } from "../../codec/caller-codec.ts";
import { noDialect } from "../../codec/no-dialect.ts";
import { readParams, writeParams } from "../../codec/params.ts";
import type { Traits } from "../../codec/traits.ts";
import type { Dialect } from "../../dialect/index.ts";
import { rulesFor } from "../../dialect/rules.ts";
import { AS_JSON } from "../../family/json-instruction.ts";
import { extraFor } from "../../ir/extra.ts";
import type { CacheMark, Format, Params, TextRequest } from "../../ir/index.ts";
import { ignoreLosses, type Lose } from "../../ir/loss.ts";
import { factOf, type ParamName } from "../../ir/params.ts";
import { isObject, type Json, type JsonObject, rest, sameJson, toArray, toObject } from "../../json/json.ts";
import { decodeMessages, encodeMessages } from "./messages.ts";
import { params } from "./params.ts";
import { type Context, extrasOf, protocol } from "./parts.ts";
import { decodeAsk, encodeAsk, isEffort } from "./reasoning.ts";
import type { Wire } from "./schema.ts";
import { decodeChoice, decodeTools, encodeTools } from "./tools.ts";

/** Fields that are read whole. */
const wholeFields = new Set(["model", "messages", "system", "stream", "tools", "metadata", "output_config"]);
const scalars = params.map((row) => row.wire);

export function decodeRequest(wire: Wire, trace: Trace = noTrace): TextRequest {
  const record = wire as JsonObject;
  const config = toObject(record.output_config);
  const tools = decodeTools(toArray(record.tools), trace);
  const toolChoice = decodeChoice(record.tool_choice);
  const { ask, whole } = decodeAsk(record);
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
  const { thinking, effort, maxTokens } = encodeAsk(request, wire, loseAsk, traits);
  const format = encodeFormat(request.format, context);
  if (request.format?.type === "json")
    wire.system = [...systemBlocks(wire.system), { type: "text", text: AS_JSON }];
  const thinks = thinking !== undefined && thinking.type !== "disabled";
  const mayThink = traits.sampling !== false && traits.sampling !== "usual";
  const sampled = thinks && mayThink ? withThinking(request.params, lose) : request.params;
  writeParams(params, sampled, wire, lose, traits, thinks);
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
  return { ...wire, ...others } as Wire;
}

/** The sampling that the wire accepts with thinking. */
const sampledWithThinking: { [Name in ParamName]?: (value: number) => boolean } = {
  temperature: (value) => value === 1,
  topP: (value) => value >= 0.95,
};

/** The parameters that the wire accepts with thinking. */
function withThinking(all: Params, lose: Lose): Params {
  const left = { ...all };
  for (const { name } of params) {
    const value = left[name];
    if (value === undefined || !factOf(name).sampling || sampledWithThinking[name]?.(value as number))
      continue;
    lose(`/params/${name}`, "unsupported", "refused beside thinking");
    delete left[name];
  }
  return left;
}

const MOST_MARKS = 4;

/** Puts cache marks on wire nodes and, at the end, takes the first ones off again where there are too many. */
function markKeeper(lose: Lose): { mark: Context["mark"]; trim(others: number): void } {
  const marked: [node: JsonObject, path: string][] = [];
  return {
    mark(node, cache: CacheMark | undefined, path) {
      if (!cache) return node;
      node.cache_control = { type: "ephemeral", ...(cache.ttl && { ttl: cache.ttl }) };
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
