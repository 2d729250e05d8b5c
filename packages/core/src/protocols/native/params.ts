import { textOrTexts } from "../../codec/param-schemas.ts";
import { type ParamRow, within } from "../../codec/params.ts";
import type { Lose } from "../../ir/loss.ts";
import { type ListedParam, listedParams } from "../../ir/params.ts";
import { lookup } from "../../json/json.ts";
import { number } from "../../schema/node.ts";

function writeLimit(value: number, lose: Lose, path: string): number {
  const whole = Math.max(1, Math.round(value));
  if (whole !== value) lose(path, "approximated", `${value} became ${whole}`);
  return whole;
}

/** What this wire has in its own way. */
const particular = {
  maxTokens: { schema: number({ integer: true, min: 1 }), write: writeLimit },
  temperature: { schema: number({ min: 0, max: 2 }), write: within(0, 2) },
  stop: { schema: textOrTexts },
} as const satisfies { [Name in ListedParam]?: Omit<ParamRow, "name" | "wire"> };

/** An answer of this wire has no alternatives. */
type NativeParam = Exclude<ListedParam, "candidates">;
type NativeRow = {
  [Name in NativeParam]: { name: Name; wire: Name } & (Name extends keyof typeof particular
    ? (typeof particular)[Name]
    : unknown);
}[NativeParam];

/** Every parameter that a model can list, by its name in the IR. */
export const params = listedParams
  .filter((name) => name !== "candidates")
  .map(
    (name): ParamRow => ({ name, wire: name, ...lookup<object>(particular, name) }),
  ) as readonly NativeRow[];
