import { checkRules } from "../check/rule.ts";
import type { JsonObject, RequestContent } from "../content/request-content.ts";
import type { Call, Protocol } from "../protocols/protocol.ts";
import { fewEfforts } from "./chatstyle/few-efforts.ts";
import { fixedSampling } from "./chatstyle/fixed-sampling.ts";
import { others } from "./chatstyle/others.ts";
import { passedBackThoughts } from "./chatstyle/passed-back-thoughts.ts";
import { strictTurns } from "./chatstyle/strict-turns.ts";
import { thinkingMode } from "./chatstyle/thinking-mode.ts";
import { effortFamilies } from "./efforts.ts";
import type { Family, WireRules } from "./family.ts";
import { genstyleFamilies } from "./genstyle.ts";
import { msgstyleFamilies } from "./msgstyle.ts";

/** The families that a model can stand for, the first of which has the name of the model. */
export const FAMILIES: readonly Family[] = [
  ...msgstyleFamilies,
  ...genstyleFamilies,
  ...effortFamilies,
  ...passedBackThoughts,
  ...strictTurns,
  ...fixedSampling,
  ...fewEfforts,
  ...thinkingMode,
  ...others,
];

/** The prefix of models that refuse what a vendor's model refuses. The vendor's name for it follows. */
const MARK = "sim-as";

/** The rules of the family that a model stands for on a wire, if it stands for one: `sim-as-claude-sonnet-4-5`. */
export function familyRules(model: string, protocol: string): WireRules | undefined {
  const at = model.indexOf(MARK);
  if (at < 0) return undefined;
  const name = model.slice(at + MARK.length + 1).toLowerCase();
  return FAMILIES.find(({ names }) => names.test(name))?.wires[protocol];
}

/** Reads a request by its protocol and, if the model stands for a family, by the family's rules. */
export function readAs(
  protocol: Protocol,
  input: unknown,
  call: Call,
): { body: unknown; content: RequestContent } {
  const family = familyRules(call.model, protocol.name);
  if (!family || typeof input !== "object" || input === null) return protocol.read(input, call);
  const given = Object.entries(input);
  const isExtra = ([member]: [string, unknown]): boolean => family.members?.includes(member) ?? false;
  const extra = Object.fromEntries(given.filter(isExtra)) as JsonObject;
  const { body, content } = protocol.read(Object.fromEntries(given.filter((entry) => !isExtra(entry))), call);
  checkRules(family.rules, body as never, { ...call, extra });
  return family.thinks
    ? { body, content: { ...content, reasoning: family.thinks(body as never, extra) } }
    : { body, content };
}
