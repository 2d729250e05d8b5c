import { isEffort, isSummary } from "../../family/effort.ts";
import type { ReasoningAsk } from "../../ir/index.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  lookup,
  numberOf,
  rest,
  toObject,
  toText,
} from "../../json/json.ts";
import { templateSwitch } from "./template-switch.ts";

/** The members that ask for thinking: the standard's one word, and what clients of other servers send. */
export const askFields = [
  ...["reasoning_effort", "reasoning", "include_reasoning", "thinking"],
  ...["enable_thinking", "thinking_budget"],
];

/** Reads a request's settings for thinking, and the members, or parts of them, that the IR has no word for. */
export function decodeAsk(record: JsonObject): { ask?: ReasoningAsk; remaining: JsonObject } {
  const left: JsonObject = {};
  const ask: ReasoningAsk = {
    ...readSwitch(record, left),
    ...readThinking(record.thinking, left),
    ...readReasoning(record.reasoning, left),
  };
  const { reasoning_effort: effort, include_reasoning: include } = record;
  if (effort === "none") ask.mode = "off";
  else if (isEffort(effort)) ask.effort = effort;
  else if (typeof effort === "string") left.reasoning_effort = effort;
  if (typeof include === "boolean") ask.show = include ? "auto" : "none";
  return { ...(Object.keys(ask).length > 0 && { ask }), remaining: left };
}

/** Reads a switch for thinking, beside others or in the settings of a template, and the budget beside it. */
function readSwitch(
  { enable_thinking: on, thinking_budget: tokens, chat_template_kwargs: settings }: JsonObject,
  remaining: JsonObject,
): ReasoningAsk {
  const isOn = typeof on === "boolean" ? on : templateSwitch(settings);
  const budget = isOn === true && typeof on === "boolean" ? numberOf(tokens) : undefined;
  if (on != null && typeof on !== "boolean") remaining.enable_thinking = on;
  // Without the switch, it depends on the model whether a budget switches thinking on.
  if (tokens != null && budget === undefined && isOn !== false) remaining.thinking_budget = tokens;
  if (isOn === undefined) return {};
  return isOn ? { mode: "on", ...(budget !== undefined && { budget }) } : { mode: "off" };
}

const modes: Record<string, NonNullable<ReasoningAsk["mode"]>> = {
  enabled: "on",
  adaptive: "auto",
  auto: "auto",
  disabled: "off",
};

/** Reads `thinking`. Servers that take this member show the thoughts. */
function readThinking(thinking: Json | undefined, remaining: JsonObject): ReasoningAsk {
  if (!isObject(thinking)) return {};
  const { type, budget_tokens: tokens, ...more } = thinking;
  const mode = lookup(modes, toText(type));
  const budget = numberOf(tokens);
  if (!mode || Object.keys(more).length > 0) remaining.thinking = mode ? more : thinking;
  if (!mode) return {};
  return {
    mode,
    ...(mode === "on" && budget !== undefined && { budget }),
    ...(mode !== "off" && { show: "auto" }),
  };
}

const reasoningFields = new Set(["effort", "max_tokens", "enabled", "exclude", "summary"]);

/** Thoughts are shown unless they are excluded. */
function readReasoning(reasoning: Json | undefined, remaining: JsonObject): ReasoningAsk {
  const { effort, max_tokens: tokens, enabled, exclude, summary } = toObject(reasoning);
  const ask: ReasoningAsk = {};
  const more = rest(toObject(reasoning), reasoningFields);
  if (more) remaining.reasoning = more;
  const budget = numberOf(tokens);
  if (isEffort(effort)) ask.effort = effort;
  else if (budget !== undefined) Object.assign(ask, { mode: "on", budget });
  else if (enabled === true) ask.mode = "on";
  if (effort === "none" || enabled === false) ask.mode = "off";
  else if (typeof effort === "string" && !isEffort(effort)) remaining.reasoning = { ...more, effort };
  if (isSummary(summary)) ask.show = summary;
  else if (typeof exclude === "boolean") ask.show = exclude ? "none" : "auto";
  else if (Object.keys(ask).length > 0 && ask.mode !== "off") ask.show = "auto";
  return ask;
}
