import { createContext } from "preact";
import { ApiError } from "../api/client.ts";
import { wordsOf } from "../api/refusal.ts";

/** What is wrong with a form: by the fields that the service named, and else. */
export interface Faults {
  ofFields: ReadonlyMap<string, string>;
  others: readonly string[];
}

export const NO_FAULTS: Faults = { ofFields: new Map(), others: [] };

/** The faults of the form that a field stands in. */
export const FormFaults = createContext<Faults>(NO_FAULTS);

/** What the service's check of values says, in words that belong beside a field. */
const WORDS: readonly [said: RegExp, words: (bound: string) => string][] = [
  [/^Too small: expected string to have >=1 characters$/, () => "Fill in this field."],
  [/^Too small: expected string to have >=(\d+) characters$/, (bound) => `Use at least ${bound} characters.`],
  [/^Too big: expected string to have <=(\d+) characters$/, (bound) => `Use at most ${bound} characters.`],
  [/^Too small: expected \w+ to be >=(\S+)$/, (bound) => `Use ${bound} or more.`],
  [/^Too small: expected \w+ to be >(\S+)$/, (bound) => `Use more than ${bound}.`],
  [/^Too big: expected \w+ to be <=(\S+)$/, (bound) => `Use ${bound} or less.`],
  [/^Too big: expected \w+ to be <(\S+)$/, (bound) => `Use less than ${bound}.`],
  [/^Invalid input: expected string, received undefined$/, () => "Fill in this field."],
  [/^Invalid input: expected number, received \w+$/, () => "Type a number."],
];

export function inFieldWords(text: string): string {
  for (const [pattern, words] of WORDS) {
    const match = pattern.exec(text);
    if (match) return words(match[1] ?? "");
  }
  return text;
}

const NAMED = /^([\w.[\]]+): (.+)$/s;

/** What a refusal says of the fields that a form has; the rest stands at its foot. */
export function faultsOf(error: unknown, hasField: (name: string) => boolean): Faults {
  const texts = error instanceof ApiError ? error.texts : [wordsOf(error)];
  const ofFields = new Map<string, string>();
  const others: string[] = [];
  for (const text of texts) {
    const [, name = "", fault = ""] = NAMED.exec(text) ?? [];
    if (name !== "" && hasField(name)) ofFields.set(name, inFieldWords(fault));
    else others.push(name === "" ? text : `${name}: ${inFieldWords(fault)}`);
  }
  return { ofFields, others };
}
