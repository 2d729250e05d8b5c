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

/** The service's words on a field as a sentence beside it. */
const sentenceOf = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

/** What a refusal says of the fields that a form has; the rest stands at its foot. */
export function faultsOf(error: unknown, hasField: (name: string) => boolean): Faults {
  if (!(error instanceof ApiError)) return { ofFields: new Map(), others: [wordsOf(error)] };
  if (error.fields.length === 0) return { ofFields: new Map(), others: error.texts };
  const ofFields = new Map<string, string>();
  const others: string[] = [];
  for (const { path, text } of error.fields) {
    const name = path.join(".");
    if (name !== "" && hasField(name)) ofFields.set(name, sentenceOf(text));
    else others.push(name === "" ? text : `${name}: ${text}`);
  }
  return { ofFields, others };
}
