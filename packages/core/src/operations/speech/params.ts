import type * as z from "zod";
import { defaultsOf } from "../../capability/area.ts";
import type { Issue } from "../../capability/ask.ts";
import { check } from "../../capability/check.ts";
import type { Capabilities } from "../../capability/schema.ts";
import { compact, lookup } from "../../json/json.ts";
import { wantsOf } from "../ask-params.ts";
import type { SpeechAsk } from "./ask.ts";
import { speechBodies } from "./schema.ts";

/** Checks whether a body may leave a field out. */
export const isOptional = (field: z.core.$ZodType): boolean =>
  (field as z.ZodType).safeParse(undefined).success;

/**
 * Compares the parameters that a caller set with what the model takes. `body` is as the caller sent it,
 * because `ask` also has defaults. A required field may have bounds, but need not be listed as supported.
 */
export function checkSpeechParams(
  capabilities: Capabilities | undefined,
  ask: SpeechAsk,
  body: object,
  model: string,
): Issue[] {
  const { shape } = speechBodies[ask.product];
  const params = Object.entries(ask).flatMap(([name, value]) => {
    const field = lookup(shape, name);
    if (!field || !Object.hasOwn(body, name)) return [];
    return [{ name, path: `/${name}`, value, ...(!isOptional(field) && { free: true as const }) }];
  });
  return check(capabilities, wantsOf("speech", model, params, []));
}

/**
 * The request as it is submitted: a parameter that its check dropped, or that the caller left out, gets the model's
 * default, or else that of the route.
 */
export function fitSpeech<Ask extends SpeechAsk>(
  ask: Ask,
  capabilities: Capabilities | undefined,
  body: object,
  issues: readonly Issue[],
): Ask {
  const dropped = new Set(issues.flatMap(({ effect, name }) => (effect === "drop" ? [name] : [])));
  const assumed = defaultsOf(capabilities, "speech");
  const open = Object.entries(speechBodies[ask.product].shape as Record<string, z.ZodType>).filter(
    ([name, field]) => isOptional(field) && (dropped.has(name) || !Object.hasOwn(body, name)),
  );
  const standard = open.map(([name, field]) => {
    const parsed = field.safeParse(lookup(assumed, name));
    return [name, parsed.success ? parsed.data : field.parse(undefined)];
  });
  return compact({ ...ask, ...Object.fromEntries(standard) });
}
