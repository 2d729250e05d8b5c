import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { Icon } from "./icons.tsx";
import { OptionList } from "./option-list.tsx";
import type { Option } from "./options.ts";
import { Popup } from "./popup.tsx";

interface PickerProps {
  label: string;
  options: readonly Option[];
  /** Name and value in one control, as filters have it; in forms the name stands above. */
  isInline?: boolean;
  /** The name is for screen readers alone: a column's head or the value itself says it. */
  hidesLabel?: boolean;
  takesTyped?: boolean;
  /** What is shown while nothing is selected. */
  placeholder?: string;
  isDisabled?: boolean;
  /** What it says in place of the names of all that is selected. */
  summary?: string;
  /** What the service calls it, in a form. */
  name?: string;
  /** The key for filters goes to it. */
  isFirst?: boolean;
  /** The id of what describes it. */
  describedBy?: string;
}

interface SelectProps extends PickerProps {
  value: string | undefined;
  onChange: (value: string) => void;
}

interface MultiSelectProps extends PickerProps {
  values: readonly string[];
  onChange: (values: string[]) => void;
}

/** A choice of one of several values. */
export const Select = ({ value = "", onChange, ...picker }: SelectProps) => (
  <Picker {...picker} selected={[value]} onChoose={onChange} />
);

/** A choice of any number of values. */
export const MultiSelect = ({ values, onChange, ...picker }: MultiSelectProps) => (
  <Picker
    {...picker}
    isMany
    selected={values}
    onChoose={(value) =>
      onChange(values.includes(value) ? values.filter((one) => one !== value) : [...values, value])
    }
  />
);

interface AnyProps extends PickerProps {
  selected: readonly string[];
  isMany?: boolean;
  onChoose: (value: string) => void;
}

function Picker(props: AnyProps) {
  const { label, options, selected, isMany = false, takesTyped = false, onChoose } = props;
  const { isInline = false, hidesLabel = false, isDisabled = false, isFirst = false } = props;
  const id = useId();
  const anchor = useRef<HTMLButtonElement>(null);
  const isOpen = useSignal(false);
  const close = (): void => {
    isOpen.value = false;
  };
  const choose = (value: string): void => {
    if (!isMany) {
      anchor.current?.focus();
      close();
    }
    onChoose(value);
  };
  const texts = selected.flatMap((value) => {
    const text = options.find((option) => option.value === value)?.text ?? value;
    return text === "" ? [] : [text];
  });
  const names = texts.length > 2 ? `${texts[0]} and ${texts.length - 1} others` : texts.join(", ");
  const text = props.summary ?? names;
  const name = (
    <span id={`${id}-name`} class={hidesLabel ? "hidden" : isInline ? "faint" : "name"}>
      {label}
    </span>
  );
  return (
    <span class={isInline || hidesLabel ? "select" : "select stacked"}>
      {(!isInline || hidesLabel) && name}
      <button
        ref={anchor}
        type="button"
        name={props.name}
        aria-haspopup="listbox"
        aria-expanded={isOpen.value}
        aria-labelledby={`${id}-name ${id}-value`}
        aria-describedby={props.describedBy}
        disabled={isDisabled}
        {...(isFirst && { "data-filter": true })}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          isOpen.value = true;
        }}
      >
        {isInline && !hidesLabel && <>{name} </>}
        <span id={`${id}-value`} class={text === "" ? "value faint" : "value"} title={text}>
          {text === "" ? (props.placeholder ?? "any") : text}
        </span>
        <Icon name="down" />
      </button>
      {isOpen.value && (
        <Popup anchor={anchor} onClose={close}>
          <OptionList {...{ label, options, selected, isMany, takesTyped }} onChoose={choose} />
        </Popup>
      )}
    </span>
  );
}
