import type { Lose } from "../ir/loss.ts";
import { factOf, type ParamName, type Params } from "../ir/params.ts";
import type { Json } from "../json/json.ts";
import type { Traits } from "./traits.ts";

/** The values that mean the same as none only at models that take no other. */
const usual: Params = { temperature: 1, topP: 1 };

/** The parameters that choose or show tokens, which models that think refuse together. */
const isSampling = (name: ParamName): boolean => factOf(name).sampling === true || name === "logprobs";

/** Checks whether a model refuses a parameter whatever its value. */
export const refusesAlways = (
  name: ParamName,
  { sampling, refuses = [] }: Pick<Traits, "sampling" | "refuses">,
): boolean =>
  refuses.some((refused) => refused === name) || (sampling === false && factOf(name).sampling === true);

/** Checks whether a model takes no other choice of tokens beside a temperature. */
const isExclusive = (sampling: Traits["sampling"], temperature: number): boolean =>
  sampling === "one" || (sampling === "greedy" && temperature === 0);

/** The reason why a model refuses a parameter in this request; undefined if it takes it. */
function refusalOf(
  name: ParamName,
  { temperature }: Params,
  sampling: Traits["sampling"],
  thinks: boolean,
): string | undefined {
  if (sampling === "usual" && isSampling(name)) return "the model takes only its usual value";
  if (sampling === "unthinking" && thinks && isSampling(name))
    return "the model refuses sampling while it thinks";
  return name === "topP" && temperature !== undefined && isExclusive(sampling, temperature)
    ? "the model refuses it beside temperature"
    : undefined;
}

/**
 * Checks whether a model refuses one of the parameters, and reports the loss; leaving out a usual value of sampling is
 * none. `thinks` says that the request lets the model think.
 */
export function isRefused(
  name: ParamName,
  params: Params,
  traits: Pick<Traits, "sampling" | "refuses">,
  lose: Lose,
  thinks: boolean,
): boolean {
  const isAlways = refusesAlways(name, traits);
  const why = isAlways ? "the model refuses it" : refusalOf(name, params, traits.sampling, thinks);
  if (why === undefined) return false;
  if (isAlways || params[name] !== usual[name]) lose(`/params/${name}`, "unsupported", why);
  return true;
}

/** The value, or of the only ones that the model accepts the nearest number. */
export function acceptedValue(
  value: Json | undefined,
  accepted: readonly (number | string)[] | undefined,
  lose: Lose,
  path: string,
): Json | undefined {
  if (!accepted || value === undefined || accepted.includes(value as never)) return value;
  const numbers = accepted.filter((one) => typeof one === "number");
  if (typeof value !== "number" || numbers.length === 0) {
    lose(path, "unsupported", `the model accepts only ${accepted.join(", ")}`);
    return undefined;
  }
  const nearest = numbers.reduce((a, b) => (Math.abs(b - value) < Math.abs(a - value) ? b : a));
  lose(path, "approximated", `${value} became ${nearest}, the nearest value that the model accepts`);
  return nearest;
}
