import { writeParams } from "../../codec/params.ts";
import type { Traits } from "../../codec/traits.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Format, Message, ReasoningAsk, TextRequest } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { OPENED, OPENING } from "../../ir/turns.ts";
import { type JsonObject, toObject } from "../../json/json.ts";
import { encodeToolChoice, encodeTools } from "./encode-tools.ts";
import { params } from "./params.ts";
import type { Wire } from "./schema.ts";

export function encodeRequest(request: TextRequest, lose: Lose, traits: Traits = {}): Wire {
  const wire: JsonObject = { ...extraFor("native", request.extra, lose, "") };
  if (!request.stream) lose("/stream", "approximated", "always streamed");
  wire.model = request.model;
  const messages = request.messages.flatMap((message, i) => encodeMessage(message, `/messages/${i}`, lose));
  if (messages.length === 0) {
    lose("/messages", "approximated", OPENED);
    messages.push({ role: "user", content: OPENING });
  }
  wire.messages = messages;
  const tools = request.tools ?? [];
  encodeTools(tools, wire, lose);
  if (request.toolChoice) encodeToolChoice(request.toolChoice, wire, lose);
  if (request.reasoning) encodeAsk(request.reasoning, wire, lose);
  if (request.format) wire.responseFormat = encodeFormat(request.format);
  writeParams(params, request.params, wire, lose, traits);
  return wire as Wire;
}

/** Each text of a message as a message of its own. All else is lost, and so is a message without text. */
function encodeMessage(message: Message, path: string, lose: Lose): JsonObject[] {
  const { role, parts, name, extra } = message;
  if (name !== undefined) lose(`${path}/name`, "unsupported");
  if (role === "system" && message.developer) lose(`${path}/developer`, "approximated");
  extraFor("native", extra, lose, path);
  const texts = parts.flatMap((part, i) => {
    const where = `${path}/parts/${i}`;
    if (part.type !== "text") {
      lose(where, "unsupported");
      return [];
    }
    for (const member of ["refusal", "citations", "logprobs", "cache"] as const)
      if (part[member]) lose(`${where}/${member}`, "unsupported");
    extraFor("native", part.extra, lose, where);
    return part.text === "" ? [] : [{ role, content: part.text }];
  });
  if (texts.length === 0) lose(path, "unsupported", "a message without text");
  return texts;
}

const thinkingTypes = { off: "disabled", auto: "adaptive", on: "enabled" };

function encodeAsk(ask: ReasoningAsk, wire: JsonObject, lose: Lose): void {
  const { mode, effort, budget, show } = ask;
  if (effort !== undefined) wire.reasoningEffort = effort;
  if (budget !== undefined && mode === "off") lose("/reasoning/budget", "unsupported");
  if (budget !== undefined && mode === undefined) lose("/reasoning/mode", "approximated");
  const effectiveMode = mode ?? (budget === undefined ? undefined : "on");
  if (effectiveMode) {
    const thinking: JsonObject = { ...toObject(wire.thinking), type: thinkingTypes[effectiveMode] };
    if (effectiveMode !== "off" && budget !== undefined) thinking.budgetTokens = budget;
    wire.thinking = thinking;
  }
  if (show === undefined) return;
  wire.includeReasoning = show !== "none";
  if (show === "concise" || show === "detailed") lose("/reasoning/show", "approximated");
}

function encodeFormat(format: Format): JsonObject {
  if (format.type !== "schema") return { type: format.type === "json" ? "json_object" : "text" };
  const { type: _, ...jsonSchema } = format;
  return { type: "json_schema", jsonSchema };
}
