import { type Area, pathOf, ruleOf } from "./area.ts";
import type { Ask, RequestedParam, RequestedPart } from "./ask.ts";
import { fieldOf, listOf, show, span, within } from "./message-text.ts";
import type { Clause, InputClause } from "./schema.ts";

/** A request as rules see it: the parameters that reach the model, and the media. */
export interface View {
  area: Area;
  ask: Ask;
  params: readonly RequestedParam[];
  parts: readonly RequestedPart[];
}

export const paramOf = (view: View, field: string): RequestedParam | undefined =>
  view.params.find((param) => param.name === field);

/** The value that a field has: the requested one, or the default. */
export const effectiveOf = (view: View, field: string): unknown => {
  const param = paramOf(view, field);
  return param ? param.value : ruleOf(view.area, field)?.default;
};

/** The parts that a clause is about. A part of unknown role or form matches no given role or form. */
export const partsOf = (view: View, { input, roles, forms }: InputClause): RequestedPart[] =>
  view.parts.filter(
    ({ kind, role, form }) =>
      kind === input &&
      (!roles || (role !== undefined && roles.includes(role))) &&
      (!forms || (form !== undefined && forms.includes(form))),
  );

const isAmong = (clause: { is?: readonly unknown[] | undefined }, value: unknown): boolean =>
  value !== undefined && (clause.is?.includes(value) ?? true);

/** Checks whether the clause is true, defaults included. */
export function holds(view: View, clause: Clause): boolean {
  if ("field" in clause) return isAmong(clause, effectiveOf(view, clause.field));
  return within(partsOf(view, clause).length, { min: 1, ...clause.count });
}

/** Where the caller wrote what makes the clause true; undefined where it is false, or true only by default. */
export function writtenAt(view: View, clause: Clause): string | undefined {
  if (!holds(view, clause)) return undefined;
  if ("field" in clause) return paramOf(view, clause.field)?.path;
  return partsOf(view, clause)[0]?.path ?? view.ask.content ?? "/content";
}

const article = (word: string): string => `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;

/** A clause in words: `outputFormat 'png' or 'webp'`, `an image as firstFrame`. */
export function describeClause(ask: Ask, clause: Clause): string {
  if ("field" in clause) {
    const field = fieldOf(pathOf(ask, clause.field));
    return clause.is ? `${field} ${listOf(clause.is.map(show))}` : field;
  }
  const { input, roles, forms, count } = clause;
  const what = count ? `${span({ min: 1, ...count })} ${input} parts` : article(input);
  return `${what}${roles ? ` as ${listOf(roles)}` : ""}${forms ? ` by ${listOf(forms)}` : ""}`;
}
