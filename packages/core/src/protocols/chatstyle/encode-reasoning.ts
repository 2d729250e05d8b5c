import type { Traits } from "../../codec/traits.ts";
import { canSwitchOff, writeEffort } from "../../family/effort.ts";
import type { Effort, ReasoningAsk, TextRequest } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type JsonObject, toObject } from "../../json/json.ts";
import { templateSwitch } from "./template-switch.ts";

/** The members that ask for thinking: one word, unless the server has a record for more or another member. */
export function encodeAsk(ask: ReasoningAsk, lose: Lose, traits: Traits): JsonObject {
  const { mode, effort, budget, show } = ask;
  const { extensions = [] } = traits;
  const needsRecord = show !== undefined || budget !== undefined;
  if (!needsRecord || !extensions.includes("reasoning")) {
    if (show === "none") lose("/reasoning/show", "unsupported");
    else if (show !== undefined)
      lose("/reasoning/show", "approximated", "thoughts are shown where the server shows them unasked");
    const way = thinkingSettingOf(traits);
    if (way === "type") return encodeType(ask, lose, traits);
    if (way === "switch" || way === "template") return encodeSwitch(ask, lose, traits, way === "template");
    const word = writeEffort(ask, lose, effortsOfServer(traits));
    return word === undefined ? {} : { reasoning_effort: word };
  }
  const reasoning: JsonObject = {};
  if (effort === undefined && mode !== "off" && budget !== undefined && budget >= 1) {
    if (mode !== "on") lose("/reasoning/mode", "approximated");
    reasoning.max_tokens = Math.round(budget);
    if (!Number.isInteger(budget)) lose("/reasoning/budget", "approximated");
  } else {
    const word = writeEffort(ask, lose, effortsOfServer(traits));
    if (word !== undefined) reasoning.effort = word;
  }
  if (show === "concise" || show === "detailed") lose("/reasoning/show", "approximated", "became shown");
  if (show !== undefined) reasoning.exclude = show === "none";
  return Object.keys(reasoning).length > 0 ? { reasoning } : {};
}

/** Whether the vendor of a model switches its thinking on and off by a member for that. */
export const hasSwitch = ({ thinkingBy }: Traits): boolean =>
  thinkingBy === "type" || thinkingBy === "adaptiveType" || thinkingBy === "switch";

/** The kind of member in which the server of a model accepts the settings for thinking. */
export function thinkingSettingOf(traits: Traits): "effort" | "type" | "switch" | "template" {
  const { thinkingBy, switchBy, extensions = [] } = traits;
  if (!hasSwitch(traits) || extensions.includes("reasoning")) return "effort";
  return switchBy ?? (thinkingBy === "switch" ? thinkingBy : "type");
}

/** The efforts that a model knows where it is served: a server with words of its own turns them into its switch. */
const effortsOfServer = (traits: Traits): Traits =>
  traits.efforts?.length === 0 && (traits.switchBy === "effort" || traits.extensions?.includes("reasoning"))
    ? { thinking: traits.thinking }
    : traits;

/** The members of a server that switches thinking by a type. It refuses an effort beside it. */
function encodeType(ask: ReasoningAsk, lose: Lose, traits: Traits): JsonObject {
  const { mode, effort, budget } = ask;
  const known = traits.efforts ?? [];
  const on: JsonObject = { thinking: { type: traits.thinkingBy === "type" ? "enabled" : "adaptive" } };
  const isOff = mode === "off" || (effort === undefined && budget === 0);
  if (!isOff && known.length === 0 && (mode ?? effort ?? budget) !== undefined) {
    if (effort !== undefined || budget !== undefined)
      lose("/reasoning", "approximated", "thinking is switched on, and the amount left to the model");
    return on;
  }
  if (mode === "on" && effort === undefined && budget === undefined) return on;
  const word = writeEffort(ask, lose, { ...traits, efforts: known });
  if (word === undefined) return {};
  return word === "none" ? { thinking: { type: "disabled" } } : { reasoning_effort: word };
}

/** The tokens for each amount of thinking, for servers that take a budget; above them the model decides. */
const budgets: Partial<Record<Effort, number>> = { minimal: 1024, low: 1024, medium: 8192, high: 24576 };

/** The members of a server that has a switch for thinking, and a budget unless its template has the switch. */
function encodeSwitch(
  { mode, effort, budget }: ReasoningAsk,
  lose: Lose,
  traits: Traits,
  inTemplate: boolean,
): JsonObject {
  // Templates name the switch differently, and ignore what they do not name.
  const switched = (on: boolean): JsonObject =>
    inTemplate ? { chat_template_kwargs: { enable_thinking: on, thinking: on } } : { enable_thinking: on };
  if (mode === "off" || (effort === undefined && budget === 0)) {
    if (mode !== "off" || effort !== undefined || budget !== undefined) lose("/reasoning", "approximated");
    if (canSwitchOff(traits)) return switched(false);
    lose("/reasoning", "approximated", "thinking cannot be switched off");
    return {};
  }
  if (mode === undefined && effort === undefined && budget === undefined) return {};
  const most = inTemplate ? undefined : effort === undefined ? budget : budgets[effort];
  const amount = effort === undefined ? "budget" : "effort";
  if (effort !== undefined || (inTemplate && budget !== undefined))
    lose(
      `/reasoning/${amount}`,
      "approximated",
      most ? `became a budget of ${most} tokens` : "left to the model",
    );
  if (effort !== undefined && budget !== undefined) lose("/reasoning/budget", "unsupported");
  if (mode === "auto") lose("/reasoning/mode", "approximated", "thinking is switched on");
  return { ...switched(true), ...(most !== undefined && { thinking_budget: Math.round(most) }) };
}

/** The settings for thinking of a request to a model that takes functions only while it does not think. */
export function askWithTools(
  { reasoning, tools = [] }: TextRequest,
  lose: Lose,
  { onChat, effort }: Traits,
): ReasoningAsk | undefined {
  if (onChat !== "unthinkingTools" || tools.length === 0) return reasoning;
  if (!reasoning && effort === "none") return undefined;
  if (reasoning?.mode !== "off")
    lose("/reasoning", "approximated", "functions are refused on this wire while the model thinks");
  return { mode: "off" };
}

/**
 * Checks whether the settings of a template that a request has switch thinking already, for a model of which nothing
 * else is known: its server may refuse another member.
 */
export const isSwitchedBy = (wire: JsonObject, { effort, budget }: ReasoningAsk, traits: Traits): boolean =>
  traits.thinkingBy === undefined &&
  (effort ?? budget) === undefined &&
  templateSwitch(wire.chat_template_kwargs) !== undefined;

/** Checks whether a request as it is written lets the model think. */
export function thinks(wire: JsonObject, { effort = "medium" }: Traits): boolean {
  const {
    reasoning_effort: word,
    reasoning,
    thinking,
    enable_thinking: isOn,
    chat_template_kwargs: set,
  } = wire;
  if (toObject(thinking).type === "disabled" || isOn === false) return false;
  if (templateSwitch(set) === false) return false;
  return (word ?? toObject(reasoning).effort ?? effort) !== "none";
}
