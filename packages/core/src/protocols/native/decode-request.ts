import { noTrace, type Trace } from "../../codec/caller-codec.ts";
import { readParams } from "../../codec/params.ts";
import {
  type Effort,
  efforts,
  type Format,
  type Message,
  type ReasoningAsk,
  type TextPart,
  type TextRequest,
} from "../../ir/index.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../json/json.ts";
import { decodeToolChoice, decodeTools } from "./decode-tools.ts";
import { params } from "./params.ts";
import type { Wire } from "./schema.ts";

export function decodeRequest(wire: Wire, trace: Trace = noTrace): TextRequest {
  const record = wire as JsonObject;
  const { structuredOutputs, responseFormat } = record;
  const tools = decodeTools(record, trace);
  const { choice, remaining: choiceLeft } = decodeToolChoice(record);
  const { ask, remaining: askLeft } = decodeAsk(record);
  const format = decodeFormat(responseFormat);
  const fields: JsonObject = {
    ...askLeft,
    ...(choiceLeft !== undefined && { toolChoice: choiceLeft }),
    ...(typeof structuredOutputs === "boolean" && { structuredOutputs }),
    ...(!format && isObject(responseFormat) && { responseFormat }),
  };
  return {
    model: toText(record.model),
    stream: true,
    messages: toArray(record.messages).map((json, i) =>
      decodeMessage(toObject(json), `/messages/${i}`, trace),
    ),
    ...(tools.length > 0 && { tools }),
    ...(choice && { toolChoice: choice }),
    ...(ask && { reasoning: ask }),
    ...(format && { format }),
    params: readParams(params, record),
    ...(Object.keys(fields).length > 0 && { extra: { protocol: "native", fields } }),
  };
}

function decodeMessage(wire: JsonObject, pointer: string, trace: Trace): Message {
  const role = wire.role === "system" || wire.role === "assistant" ? wire.role : "user";
  const text = toText(wire.content);
  const parts: TextPart[] = text === "" ? [] : [{ type: "text", text }];
  for (const part of parts) trace(part, `${pointer}/content`);
  const message: Message = { role, parts };
  trace(message, pointer);
  return message;
}

const thinkingWords = new Set(["disabled", "adaptive", "auto", "enabled"]);

/** Reads the settings for thinking, in any of the three members that have them, and the rest of those. */
function decodeAsk(wire: JsonObject): { ask?: ReasoningAsk; remaining: JsonObject } {
  const ask: ReasoningAsk = {};
  const left: JsonObject = {};
  const effort = wire.reasoningEffort;
  if (efforts.includes(effort as Effort)) ask.effort = effort as Effort;
  else if (typeof effort === "string" && effort !== "none") left.reasoningEffort = effort;
  const wireThinking = toObject(wire.thinking);
  // The meaning of an unknown kind of thinking, and of its budget, is unknown.
  const strange = !isNothing(wireThinking.type) && !thinkingWords.has(toText(wireThinking.type));
  const thinking = strange ? {} : wireThinking;
  const more = strange ? wireThinking : unread(wireThinking);
  if (Object.keys(more).length > 0) left.thinking = more;
  const type = typeof wire.thinking === "boolean" ? (wire.thinking ? "enabled" : "disabled") : thinking.type;
  const budget = numberOf(thinking.budgetTokens) ?? numberOf(thinking.budget_tokens);
  if (type === "disabled" || effort === "none") ask.mode = "off";
  else if (type === "adaptive" || type === "auto") ask.mode = "auto";
  else if (type === "enabled" || budget !== undefined) ask.mode = "on";
  if (budget !== undefined && ask.mode !== "off") ask.budget = budget;
  if (typeof wire.includeReasoning === "boolean") ask.show = wire.includeReasoning ? "auto" : "none";
  return { ...(Object.keys(ask).length > 0 && { ask }), remaining: left };
}

const isNothing = (value: Json | undefined): boolean => value === undefined || value === null;

/** The members of `thinking` that the IR does not model. */
const unread = ({
  type: _,
  budgetTokens: camel,
  budget_tokens: snake,
  ...others
}: JsonObject): JsonObject => {
  const budgets = { budgetTokens: camel, budget_tokens: snake };
  const strange = Object.entries(budgets).filter(([, value]) => numberOf(value) === undefined);
  const entries = [...Object.entries(others), ...strange].filter(([, value]) => !isNothing(value));
  return Object.fromEntries(entries) as JsonObject;
};

function decodeFormat(json: Json | undefined): Format | undefined {
  const wire = toObject(json);
  switch (wire.type) {
    case "text":
      return { type: "text" };
    case "json_object":
      return { type: "json" };
    case "json_schema": {
      const outer = isObject(wire.jsonSchema) ? wire.jsonSchema : wire.json_schema;
      const { name, description, schema, strict } = isObject(outer) ? outer : wire;
      if (!isObject(schema)) return { type: "json" };
      return {
        type: "schema",
        schema,
        ...(textOf(name) !== undefined && { name: toText(name) }),
        ...(textOf(description) !== undefined && { description: toText(description) }),
        ...(typeof strict === "boolean" && { strict }),
      };
    }
    default:
      return undefined;
  }
}
