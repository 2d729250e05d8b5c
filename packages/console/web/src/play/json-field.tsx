import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId } from "preact/hooks";
import { sameJson } from "../codecs/differences.ts";
import { setFieldFault } from "./desk.ts";

interface JsonFieldProps<T> {
  label: string;
  value: T | undefined;
  /** What the value is in JSON, where that is not the value itself. */
  toJson?: (value: T) => unknown;
  /** The value that JSON is; throws with what is wrong with it. */
  fromJson: (json: unknown) => T;
  onChange: (value: T | undefined) => void;
  hint?: ComponentChildren;
  placeholder?: string;
}

/** A value as JSON text. What is typed stays while it is none, and nothing is sent until it is. */
export function JsonField<T>(props: JsonFieldProps<T>) {
  const { label, value, toJson = (one: T): unknown => one, fromJson, onChange, hint, placeholder } = props;
  const id = useId();
  const typed = useSignal<{ text: string; value: T | undefined; fault?: string } | undefined>(undefined);
  useEffect(() => () => setFieldFault(label, undefined), [label]);
  const written = value === undefined ? "" : JSON.stringify(toJson(value), null, 2);
  // The value may have been set from elsewhere since.
  const isCurrent = typed.value !== undefined && sameJson(typed.value.value, value);
  const { text, fault } = isCurrent && typed.value ? typed.value : { text: written, fault: undefined };
  const type = (next: string): void => {
    let read: T | undefined = value;
    let wrong: string | undefined;
    try {
      read = next.trim() === "" ? undefined : fromJson(JSON.parse(next));
    } catch (error) {
      const isSyntax = error instanceof SyntaxError;
      wrong = isSyntax ? `This is no JSON: ${error.message}` : (error as Error).message;
    }
    typed.value = { text: next, value: read, ...(wrong !== undefined && { fault: wrong }) };
    setFieldFault(label, wrong);
    if (wrong === undefined) onChange(read);
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="code"
        rows={3}
        spellcheck={false}
        placeholder={placeholder}
        value={text}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-note`}
        onInput={(event) => type(event.currentTarget.value)}
      />
      <p id={`${id}-note`} class={fault === undefined ? "hint" : "hint wrong"}>
        {fault ?? hint}
      </p>
    </div>
  );
}
