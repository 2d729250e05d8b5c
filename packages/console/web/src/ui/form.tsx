import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useContext, useId, useRef } from "preact/hooks";
import { FormFaults, faultsOf, NO_FAULTS } from "./faults.ts";

interface FieldProps {
  /** What the service calls it: what it finds wrong with it stands beside it. */
  name?: string;
  /** The most letters that the service takes. */
  maxlength?: number;
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  type?: "text" | "password" | "number" | "search" | "datetime-local";
  value: string;
  required?: boolean;
  autocomplete?: "username" | "current-password" | "off";
  placeholder?: string;
  min?: string;
  step?: string;
  inputMode?: "decimal";
  autoFocus?: boolean;
  onInput: (value: string) => void;
}

/** A labelled input; what is wrong with it stands below it and is read with it. */
export function Field({ label, hint, error: localError, onInput, autoFocus, ...input }: FieldProps) {
  const id = useId();
  const note = `${id}-note`;
  const { ofFields } = useContext(FormFaults);
  const error = localError ?? (input.name === undefined ? undefined : ofFields.get(input.name));
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        {...(input as object)}
        {...(autoFocus && { autofocus: true })}
        aria-invalid={error !== undefined}
        aria-describedby={hint !== undefined || error !== undefined ? note : undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <p id={note} class={error === undefined ? "hint" : "hint wrong"}>
        {error ?? hint}
      </p>
    </div>
  );
}

interface DescribedProps {
  name: string;
  hint?: ComponentChildren;
  children: (control: { name: string; describedBy: string }) => ComponentChildren;
}

/** A control that brings its own label; what is wrong with it stands below it and is read with it. */
export function Described({ name, hint, children }: DescribedProps) {
  const note = useId();
  const error = useContext(FormFaults).ofFields.get(name);
  return (
    <div class="field">
      {children({ name, describedBy: note })}
      <p id={note} class={error === undefined ? "hint" : "hint wrong"}>
        {error ?? hint}
      </p>
    </div>
  );
}

/** A field's value and what is typed, both in a signal. */
export const typedInto = (text: Signal<string>) => ({
  value: text.value,
  onInput: (value: string): void => {
    text.value = value;
  },
});

interface FormProps {
  /** What the button says. */
  act: string;
  onSubmit: () => Promise<void>;
  onCancel?: () => void;
  /** What the button says that closes it. */
  dismiss?: string | undefined;
  isDanger?: boolean;
  children: ComponentChildren;
}

/** A form that keeps what was typed when the service refuses it, and says why beside the fields that it named. */
export function Form(props: FormProps) {
  const { act, onSubmit, onCancel, dismiss = "Cancel", isDanger = false, children } = props;
  const faults = useSignal(NO_FAULTS);
  const form = useRef<HTMLFormElement>(null);
  const isBusy = useSignal(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy.value) return;
    isBusy.value = true;
    faults.value = NO_FAULTS;
    try {
      await onSubmit();
    } catch (error) {
      const fieldOf = (name: string): Element | RadioNodeList | null =>
        form.current?.elements.namedItem(name) ?? null;
      faults.value = faultsOf(error, (name) => fieldOf(name) !== null);
      const [first] = faults.value.ofFields.keys();
      const field = first === undefined ? null : fieldOf(first);
      if (field instanceof HTMLElement) field.focus();
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form ref={form} onSubmit={submit}>
      <FormFaults.Provider value={faults.value}>{children}</FormFaults.Provider>
      {faults.value.others.map((fault) => (
        <p key={fault} class="wrong" role="alert">
          {fault}
        </p>
      ))}
      <div class="acts">
        <button type="submit" class={isDanger ? "danger" : "main"} aria-disabled={isBusy.value}>
          {act}
        </button>
        {onCancel && (
          <button type="button" onClick={onCancel}>
            {dismiss}
          </button>
        )}
      </div>
    </form>
  );
}
