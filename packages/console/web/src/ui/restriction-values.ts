import {
  RESTRICTION_NAMES,
  RESTRICTIONS,
  type RestrictionKind,
  type RestrictionName,
  recordOfRestrictions,
} from "@manifold-gateway/store/restrictions";
import type { Restrictions } from "./key-calls.ts";

/** What stands in the fields of restrictions; empty where there is none. */
export type Typed = Record<RestrictionName, string>;

/** How the values of one kind are edited and shown. */
interface Form<Value> {
  toText(value: Value): string;
  /** The value as the service takes it. */
  toValue(text: string): Value;
  inWords(value: Value, label: string): string;
  inSentence(value: Value, label: string): string;
}

/** Values by kind as the service has them. */
interface Values extends Record<RestrictionKind, unknown> {
  count: number;
  list: readonly string[];
  choices: readonly string[];
  time: string;
}

/** The items of a list that is typed with commas or spaces between. */
export const itemsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

const list: Form<readonly string[]> = {
  toText: (items) => items.join(", "),
  toValue: itemsOf,
  inWords: (items) => items.join(", "),
  inSentence: (items, label) => `Only these ${label}: ${items.join(", ")}.`,
};

const FORMS: { [kind in RestrictionKind]: Form<Values[kind]> } = {
  count: {
    toText: String,
    toValue: Number,
    inWords: (count, label) => `${count} ${label}`,
    inSentence: (count, label) => `At most ${count} ${label}.`,
  },
  list,
  choices: list,
  time: {
    // The field takes minutes of UTC.
    toText: (time) => time.slice(0, 16),
    toValue: (text) => `${text}:00Z`,
    inWords: (time) => `until ${time.slice(0, 16).replace("T", " ")}`,
    inSentence: (time) => `Accepted until ${time.slice(0, 16).replace("T", " ")} UTC.`,
  },
};

const formOf = (name: RestrictionName): Form<unknown> => FORMS[RESTRICTIONS[name].kind];

export const typedOf = (restrictions: Restrictions = {}): Typed =>
  recordOfRestrictions((name) => {
    const value = restrictions[name];
    return value == null ? "" : formOf(name).toText(value);
  });

/** What was typed as the service takes it; an empty field lifts the restriction. */
export const toRestrictions = (typed: Typed): Restrictions =>
  recordOfRestrictions((name) => {
    const text = typed[name].trim();
    return text === "" ? null : formOf(name).toValue(text);
  }) as Restrictions;

/** The restrictions that are set, for a new key. */
export const setOf = (typed: Typed): Restrictions =>
  Object.fromEntries(Object.entries(toRestrictions(typed)).filter(([, value]) => value !== null));

interface Restricted {
  restrictions?: Restrictions;
}

const each = ({ restrictions = {} }: Restricted, form: "inWords" | "inSentence"): string[] =>
  RESTRICTION_NAMES.flatMap((name) => {
    const value = restrictions[name];
    return value == null ? [] : [formOf(name)[form](value, RESTRICTIONS[name].label)];
  });

/** The restrictions of a key in a few words. */
export const wordsOf = (key: Restricted): string => each(key, "inWords").join(" · ");

/** The same as a sentence for each. */
export const sentencesOf = (key: Restricted): string[] => each(key, "inSentence");
