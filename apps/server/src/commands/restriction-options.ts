import {
  RESTRICTIONS,
  type RestrictionKind,
  type RestrictionName,
  recordOfRestrictions,
} from "@manifold-gateway/store/restrictions";

/** The form of a value on the command line. */
interface Form {
  shown: string;
  note?: string;
  parse(text: string): unknown;
}

const list: Form = { shown: "list", note: ", separated by commas", parse: (text) => text.split(",") };

/** The forms of values by the kind of their restriction. */
export const FORMS: Record<RestrictionKind, Form> = {
  count: { shown: "n", parse: Number },
  list,
  choices: list,
  time: { shown: "time", parse: (text) => text },
};

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

type Row = readonly [flags: `--${string} <${string}>`, description: string];

/** The options that set restrictions of a key, by the restrictions' names. */
export const RESTRICTION_OPTIONS = recordOfRestrictions((name: RestrictionName): Row => {
  const { kind, meaning, example } = RESTRICTIONS[name];
  const { shown, note = "" } = FORMS[kind];
  return [`--${kebab(name)} <${shown}>`, `${meaning}${note}, such as ${example}, or none`];
});
