import type { Signal } from "@preact/signals";

interface TextAreaProps {
  label: string;
  rows: number;
  text: Signal<string>;
  maxLength?: number;
}

/** A text of several lines that goes into a signal. */
export const TextArea = ({ label, rows, text, ...limits }: TextAreaProps) => (
  <label class="stack">
    {label}
    <textarea
      {...{ rows, ...limits }}
      data-filter
      value={text.value}
      onInput={(event) => {
        text.value = event.currentTarget.value;
      }}
    />
  </label>
);
