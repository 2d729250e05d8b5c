import type { Traits } from "../../codec/traits.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type JsonObject, rest, toObject } from "../../json/json.ts";
import type { Edits } from "../../json/splice.ts";
import { decodeAsk } from "./decode-reasoning.ts";
import { encodeAsk, hasSwitch, thinkingSettingOf } from "./encode-reasoning.ts";
import { templateSwitch, templateSwitches } from "./template-switch.ts";

/** The members by which servers of this wire switch thinking, by their kind. */
const spellings = {
  effort: ["reasoning_effort", "reasoning"],
  type: ["thinking", "reasoning_effort"],
  switch: ["enable_thinking", "thinking_budget"],
  template: ["chat_template_kwargs"],
};

const efforts = new Set(spellings.effort);
const templateNames = new Set<string>(templateSwitches);

/** The members of a body that switch thinking, of whichever servers. */
function switchesOf({ thinking, enable_thinking, thinking_budget, chat_template_kwargs: set }: JsonObject) {
  const switches: JsonObject = {};
  if (isObject(thinking)) switches.thinking = thinking;
  if (typeof enable_thinking === "boolean") switches.enable_thinking = enable_thinking;
  if (typeof enable_thinking === "boolean" && thinking_budget != null)
    switches.thinking_budget = thinking_budget;
  if (templateSwitch(set) !== undefined) switches.chat_template_kwargs = set as JsonObject;
  return switches;
}

/**
 * Edits of a body that switches thinking by members of other servers, which one of these traits would refuse or pass
 * over. A body that has one of the server's own members as well stays as it is, and so does every body for a model of
 * which it is not known how its vendor switches thinking.
 */
export function respellThinking(body: JsonObject, traits: Traits, lose: Lose): Edits {
  if (!hasSwitch(traits)) return {};
  const switches = switchesOf(body);
  const setting = thinkingSettingOf(traits);
  const { ask } = decodeAsk(switches);
  const isSpelled = spellings[setting].some(
    (name) => (name in switches || efforts.has(name)) && body[name] != null,
  );
  // Hosts that switch by effort may take a budget in `thinking` as well.
  if (ask?.mode === undefined || isSpelled || (setting === "effort" && ask.budget !== undefined)) return {};
  const [member = ""] = Object.keys(switches);
  const { mode, budget } = ask;
  const amount = { mode, ...(budget !== undefined && { budget }) };
  const written = encodeAsk(amount, (_, why, detail) => lose(`/${member}`, why, detail), traits);
  const settings = {
    ...rest(toObject(body.chat_template_kwargs), templateNames),
    ...toObject(written.chat_template_kwargs),
  };
  return {
    ...Object.fromEntries(Object.keys(switches).map((name) => [name, undefined])),
    ...written,
    ...(body.chat_template_kwargs !== undefined && {
      chat_template_kwargs: Object.keys(settings).length > 0 ? settings : undefined,
    }),
  };
}
