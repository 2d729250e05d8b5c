import type { Traits } from "../../codec/traits.ts";
import { maxBudget, writeEffort } from "../../family/effort.ts";
import type { Effort, ReasoningAsk } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type Json, type JsonObject, numberOf, toObject } from "../../json/json.ts";

/** A member of single models that says how much to think. */
interface ThinkingField {
  /** The settings in a value; nothing for values that are not known whole. */
  read(value: unknown): ReasoningAsk | undefined;
  /** The value for the settings; nothing, and a loss, where there is none. */
  write(ask: ReasoningAsk, lose: Lose, maxTokens: number | undefined): Json | undefined;
}

const LEAST = 1024;
/** The tokens for each amount of thinking. */
const budgets: Record<Effort, number> = {
  minimal: LEAST,
  low: LEAST,
  medium: 8192,
  high: 24576,
  xhigh: 32768,
  max: 65536,
};

const levels = ["low", "medium", "high"] as const;
const isLevel = (word: unknown): word is (typeof levels)[number] => levels.includes(word as never);

/** The nearest of the words that models behind this wire know. */
function levelFor(effort: Effort, lose: Lose): string {
  const level = effort === "minimal" ? "low" : effort === "xhigh" || effort === "max" ? "high" : effort;
  if (level !== effort) lose("/reasoning/effort", "approximated", `became ${level}`);
  return level;
}

/** A member that is an effort in one word. Such models always think. */
const word: ThinkingField = {
  read: (value) => (isLevel(value) ? { effort: value } : undefined),
  write(ask, lose) {
    const effort = writeEffort(ask, lose);
    if (effort !== "none") return effort && levelFor(effort, lose);
    lose("/reasoning", "approximated", "thinking cannot be switched off");
    return "low";
  },
};

/** The members by their names in the trait `modelFields`. */
export const thinkingFields: Readonly<Record<string, ThinkingField>> = {
  thinking: {
    read(value) {
      const { type, budget_tokens: budget, ...more } = toObject(value);
      if (Object.keys(more).length > 0) return undefined;
      if (type === "disabled") return budget === undefined ? { mode: "off" } : undefined;
      const tokens = numberOf(budget);
      return type === "enabled" && tokens !== undefined ? { mode: "on", budget: tokens } : undefined;
    },
    write({ mode, effort, budget }, lose, maxTokens): JsonObject | undefined {
      if (mode === "off") {
        if (effort !== undefined || budget !== undefined) lose("/reasoning", "approximated");
        return { type: "disabled" };
      }
      const wanted = Math.max(LEAST, budget ?? budgets[effort ?? "medium"]);
      if (maxTokens !== undefined && maxTokens <= LEAST) {
        lose("/reasoning", "unsupported", `thinking needs ${LEAST} of the ${maxTokens} output tokens`);
        return undefined;
      }
      const most = maxTokens === undefined ? wanted : maxBudget(maxTokens, budget);
      const tokens = Math.max(LEAST, Math.min(wanted, most));
      if (tokens !== budget) lose("/reasoning/budget", "approximated", `a budget of ${tokens} tokens`);
      if (effort !== undefined) lose("/reasoning/effort", "approximated", "became a budget");
      if (mode !== "on") lose("/reasoning/mode", "approximated", "thinking is requested by a budget");
      return { type: "enabled", budget_tokens: tokens };
    },
  },
  reasoningConfig: {
    read(value) {
      const { type, maxReasoningEffort: effort, ...more } = toObject(value);
      if (Object.keys(more).length > 0) return undefined;
      if (type === "disabled") return effort === undefined ? { mode: "off" } : undefined;
      return type === "enabled" && isLevel(effort) ? { effort } : undefined;
    },
    write(ask, lose): JsonObject | undefined {
      const effort = writeEffort(ask, lose);
      if (effort === "none") return { type: "disabled" };
      return effort && { type: "enabled", maxReasoningEffort: levelFor(effort, lose) };
    },
  },
  reasoning_effort: word,
  reasoning_config: word,
};

/** The settings for thinking among the members of single models, and the member that has them. */
export function decodeAsk(fields: JsonObject): { ask: ReasoningAsk; member: string } | undefined {
  for (const [member, { read }] of Object.entries(thinkingFields)) {
    const ask = fields[member] === undefined ? undefined : read(fields[member]);
    if (ask) return { ask, member };
  }
  return undefined;
}

/** The member that says how much to think, for a model that has one. */
export function encodeAsk(
  ask: ReasoningAsk | undefined,
  maxTokens: number | undefined,
  lose: Lose,
  { modelFields = [], thinking }: Traits,
): JsonObject {
  if (!ask) return {};
  const { show, ...amount } = ask;
  const isIdle = Object.keys(amount).length === 0;
  // Hiding thoughts that are not requested has no effect.
  if (show !== undefined && !(isIdle && show === "none")) lose("/reasoning/show", "unsupported");
  if (isIdle) return {};
  const member = modelFields.find((name) => thinkingFields[name] !== undefined);
  if (member === undefined || (amount.mode === "off" && thinking?.includes("off") === false)) {
    for (const name of Object.keys(amount))
      lose(`/reasoning/${name}`, "unsupported", "no member for it is known of the model");
    return {};
  }
  const value = thinkingFields[member]?.write(amount, lose, maxTokens);
  return value === undefined ? {} : { [member]: value };
}
