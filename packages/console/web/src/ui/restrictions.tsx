import {
  helpOf,
  RESTRICTION_NAMES,
  RESTRICTIONS,
  type RestrictionKind,
  type RestrictionName,
} from "@manifold-gateway/store/restrictions";
import { useSignal } from "@preact/signals";
import type { ComponentChild } from "preact";
import { PROTOCOLS } from "../request/words.ts";
import { Field } from "./form.tsx";
import { FormDialog } from "./form-dialog.tsx";
import type { Key, KeyCalls } from "./key-calls.ts";
import { itemsOf, type Typed, toRestrictions, typedOf } from "./restriction-values.ts";
import { MultiSelect } from "./select.tsx";

interface InputProps {
  name: RestrictionName;
  value: string;
  onInput: (text: string) => void;
}

const labelOf = (name: RestrictionName): string => {
  const { label } = RESTRICTIONS[name];
  return `${label[0]?.toUpperCase()}${label.slice(1)}`;
};

/** Any number of the values that there are. */
function Choices({ name, value, onInput }: InputProps) {
  const row = RESTRICTIONS[name];
  const values = "of" in row ? row.of : [];
  return (
    <div class="field">
      <MultiSelect
        label={labelOf(name)}
        placeholder="all"
        values={itemsOf(value)}
        options={values.map((one) => ({ value: one, text: PROTOCOLS[one] ?? one }))}
        onChange={(names) => onInput(names.join(", "))}
      />
    </div>
  );
}

const INPUTS: Record<RestrictionKind, (props: InputProps) => ComponentChild> = {
  count: ({ name, ...input }) => (
    <Field
      name={`restrictions.${name}`}
      label={labelOf(name)}
      type="number"
      min="1"
      step="1"
      placeholder="no limit"
      hint={helpOf(name)}
      {...input}
    />
  ),
  list: ({ name, ...input }) => (
    <Field
      name={`restrictions.${name}`}
      label={labelOf(name)}
      placeholder="all"
      hint={`${helpOf(name)} Separate them by commas.`}
      {...input}
    />
  ),
  choices: (props) => <Choices {...props} />,
  time: ({ name, ...input }) => (
    <Field label={`${labelOf(name)} (UTC)`} type="datetime-local" hint={helpOf(name)} {...input} />
  ),
};

export const RestrictionFields = ({ typed }: { typed: { value: Typed } }) => (
  <>
    {RESTRICTION_NAMES.map((name) => {
      const Input = INPUTS[RESTRICTIONS[name].kind];
      const onInput = (text: string): void => {
        typed.value = { ...typed.value, [name]: text };
      };
      return <Input key={name} name={name} value={typed.value[name]} onInput={onInput} />;
    })}
  </>
);

/** Sets or lifts what a key may do besides what it may spend. */
export function RestrictKey({ of: key, calls, onClose }: { of: Key; calls: KeyCalls; onClose: () => void }) {
  const typed = useSignal(typedOf(key.restrictions));
  const save = async (): Promise<void> => {
    await calls.restrict(key.id, toRestrictions(typed.value));
    onClose();
  };
  return (
    <FormDialog title={`Limits of ${key.name}`} act="Save limits" onSubmit={save} onClose={onClose}>
      <RestrictionFields typed={typed} />
    </FormDialog>
  );
}
