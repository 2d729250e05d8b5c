import {
  type Json,
  type JsonObject,
  noTrace,
  type ParamTable,
  readParams,
  type Trace,
  textOf,
  toArray,
  toObject,
  toText,
} from "@manifold-gateway/core/codec";
import {
  type Effort,
  efforts,
  type Format,
  type ParamName,
  paramFacts,
  type ReasoningAsk,
  type TextRequest,
  type Tool,
  type ToolChoice,
} from "@manifold-gateway/core/ir";
import { decodePrompt } from "./prompt.ts";
import { NAMESPACE, protocol, type Wire } from "./wire.ts";

/** Parameters that the interface has a name for. */
const named: { [Name in ParamName]?: string } = {
  maxTokens: "maxOutputTokens",
  temperature: "temperature",
  topP: "topP",
  topK: "topK",
  frequencyPenalty: "frequencyPenalty",
  presencePenalty: "presencePenalty",
  seed: "seed",
  stop: "stopSequences",
};

/** The others are options of this provider, by their canonical names: `{ manifold: { serviceTier: "flex" } }`. */
export const params: ParamTable = (Object.keys(paramFacts) as ParamName[])
  .filter((name) => name !== "candidates")
  .map((name) => ({ name, wire: named[name] ?? `providerOptions.${NAMESPACE}.${name}` }));

export function decodeRequest(wire: Wire, trace: Trace = noTrace): TextRequest {
  const request: TextRequest = {
    model: toText(wire.model),
    stream: wire.stream === true,
    messages: decodePrompt(wire.prompt, trace),
    params: readParams(params, wire),
  };
  const tools = toArray(wire.tools ?? null).map((json, i) => {
    const tool = decodeTool(toObject(json));
    trace(tool, `/tools/${i}`);
    return tool;
  });
  if (tools.length > 0) {
    request.tools = tools;
    // The AI SDK names a choice in every call.
    const choice = decodeChoice(toObject(wire.toolChoice), optionsOf(wire).parallelToolCalls);
    if (choice) request.toolChoice = choice;
  }
  const reasoning = decodeReasoning(wire);
  if (reasoning) request.reasoning = reasoning;
  const format = decodeFormat(toObject(wire.responseFormat));
  if (format) request.format = format;
  return request;
}

/** The options of this provider. */
const optionsOf = (wire: JsonObject): JsonObject => toObject(toObject(wire.providerOptions)[NAMESPACE]);

function decodeTool(wire: JsonObject): Tool {
  if (wire.type !== "function") return { type: "opaque", protocol, value: wire };
  const description = textOf(wire.description);
  return {
    type: "function",
    name: toText(wire.name),
    ...(description !== undefined && { description }),
    ...(wire.inputSchema !== undefined && { schema: wire.inputSchema }),
    ...(typeof wire.strict === "boolean" && { strict: wire.strict }),
    ...(wire.inputExamples !== undefined && {
      extra: { protocol, fields: { inputExamples: wire.inputExamples } },
    }),
  };
}

function decodeChoice({ type, toolName }: JsonObject, parallel: Json | undefined): ToolChoice | undefined {
  const alone = typeof parallel === "boolean" ? { parallel } : {};
  if (type === "tool") return { mode: "required", names: [toText(toolName)], ...alone };
  if (type === "required" || type === "none") return { mode: type, ...alone };
  return type === "auto" || "parallel" in alone
    ? { ...(type === "auto" && { mode: type }), ...alone }
    : undefined;
}

/** `reasoning` of the interface, with `{ budget, show }` of this provider's option of the same name. */
function decodeReasoning(wire: Wire): ReasoningAsk | undefined {
  const { budget, show } = toObject(optionsOf(wire).reasoning);
  const effort = textOf(wire.reasoning);
  if (effort === "none") return { mode: "off" };
  const ask: ReasoningAsk = {
    ...(efforts.includes(effort as Effort) && { effort: effort as Effort }),
    ...(typeof budget === "number" && { mode: "on", budget }),
    ...(typeof show === "string" && { show: show as NonNullable<ReasoningAsk["show"]> }),
  };
  return Object.keys(ask).length > 0 ? ask : undefined;
}

function decodeFormat({ type, schema, name, description }: JsonObject): Format | undefined {
  if (type !== "json") return undefined;
  if (schema === undefined) return { type: "json" };
  return {
    type: "schema",
    schema,
    ...(typeof name === "string" && { name }),
    ...(typeof description === "string" && { description }),
  };
}
