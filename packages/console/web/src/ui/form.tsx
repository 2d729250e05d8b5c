import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
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
export function Field({ label, hint, error, onInput, autoFocus, ...input }: FieldProps) {
  const id = useId();
  const note = `${id}-note`;
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
  isDanger?: boolean;
  children: ComponentChildren;
}

/** A form that keeps what was typed when the service refuses it, and shows why in the service's words. */
export function Form({ act, onSubmit, onCancel, isDanger = false, children }: FormProps) {
  const fault = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy.value) return;
    isBusy.value = true;
    fault.value = undefined;
    try {
      await onSubmit();
    } catch (error) {
      fault.value = (error as Error).message;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form onSubmit={submit}>
      {children}
      {fault.value !== undefined && (
        <p class="wrong" role="alert">
          {fault.value}
        </p>
      )}
      <div class="acts">
        <button type="submit" class={isDanger ? "danger" : "main"} aria-disabled={isBusy.value}>
          {act}
        </button>
        {onCancel && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  );
}
