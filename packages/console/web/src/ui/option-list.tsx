import { useSignal } from "@preact/signals";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { count } from "../format.ts";
import { AT_ONCE } from "./at-once.ts";
import { Icon } from "./icons.tsx";
import { beginningWith, matching, type Option } from "./options.ts";

interface OptionListProps {
  /** What is selected. */
  label: string;
  options: readonly Option[];
  selected: readonly string[];
  /** Several can be selected: the list stays open. */
  isMany?: boolean;
  /** A value that is not in the list counts as well, once it is sent by Enter. */
  takesTyped?: boolean;
  /** More options come: Enter waits for them before it takes what was typed for a value. */
  isLoading?: boolean;
  onChoose: (value: string) => void;
}

/** From so many options on, what is typed narrows the list; in a shorter one it goes to the option. */
const SEARCHED = 11;
/** Letters belong to one word as long as the pauses between them are shorter, in milliseconds. */
const PAUSE_MS = 700;

/** The options of a choice: arrow keys walk, letters find, Enter takes. */
export function OptionList(props: OptionListProps) {
  const { label, options, selected, isMany = false, takesTyped = false, isLoading = false, onChoose } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const typed = useSignal("");
  const word = useRef({ text: "", at: 0 });
  const isSearched = takesTyped || options.length >= SEARCHED;
  const most = useSignal(AT_ONCE);
  const shown = isSearched ? matching(options, typed.value) : options;
  const first = Math.max(
    0,
    shown.findIndex(({ value }) => selected.includes(value)),
  );
  const at = useSignal(first);
  const active = shown[Math.min(at.value, shown.length - 1)];
  const idOf = (option: Option | undefined): string | undefined =>
    option && `${id}-${options.indexOf(option)}`;
  useLayoutEffect(() => {
    list.current?.querySelector(".active")?.scrollIntoView({ block: "nearest" });
  }, [at.value, typed.value]);
  const takesLater = useRef(false);
  const take = (): void => {
    takesLater.current = isLoading && !active;
    if (takesLater.current) return;
    const value = active?.value ?? (takesTyped ? typed.value.trim() : "");
    if (active || value !== "") onChoose(value);
  };
  useEffect(() => {
    if (takesLater.current && !isLoading) take();
  });
  /** Goes to the next option that begins with what was typed without a pause. */
  const find = ({ key, timeStamp }: KeyboardEvent): void => {
    const isNew = timeStamp - word.current.at > PAUSE_MS;
    word.current = { text: isNew ? key : word.current.text + key, at: timeStamp };
    const next = beginningWith(shown, word.current.text, { at: at.value, isAfter: isNew });
    if (next !== undefined) at.value = next;
  };
  const press = (event: KeyboardEvent): void => {
    const { key } = event;
    const last = shown.length - 1;
    const target = { ArrowDown: at.value + 1, ArrowUp: at.value - 1, Home: 0, End: last }[key];
    const isText = isSearched && (key === "Home" || key === "End");
    if (target !== undefined && !isText) at.value = Math.max(0, Math.min(last, target));
    else if (key === "Enter" || (key === " " && !isSearched)) take();
    else if (!isSearched && key.length === 1 && !event.ctrlKey && !event.metaKey) find(event);
    else return;
    event.preventDefault();
  };
  const shared = {
    "data-focus": true,
    "aria-label": label,
    "aria-activedescendant": idOf(active),
    onKeyDown: press,
  };
  const none = takesTyped && typed.value.trim() !== "" ? "Enter takes what you typed." : "There is none.";
  return (
    <div class="options">
      {isSearched && (
        <input
          {...shared}
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          placeholder={`Find ${label.toLowerCase()}`}
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            takesLater.current = false;
            at.value = 0;
          }}
        />
      )}
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-multiselectable={isMany}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollTop + 2 * clientHeight > scrollHeight && most.value < shown.length) most.value += AT_ONCE;
        }}
        {...(isSearched ? { "aria-label": label, tabIndex: -1 } : { ...shared, tabIndex: 0 })}
      >
        {shown.slice(0, Math.max(most.value, at.value + AT_ONCE)).map((option, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the list has the focus and the keys
          <div
            key={option.value}
            id={idOf(option)}
            role="option"
            class={option === active ? "option active" : "option"}
            aria-setsize={shown.length}
            aria-selected={selected.includes(option.value)}
            title={option.value === option.text ? undefined : option.value}
            onPointerMove={() => {
              at.value = place;
            }}
            onClick={() => onChoose(option.value)}
          >
            <Icon name="check" />
            <span class="text">{option.text}</span>
            {option.note !== undefined && <span class="faint">{option.note}</span>}
            {option.count !== undefined && <span class="faint number">{count(option.count)}</span>}
          </div>
        ))}
      </div>
      {shown.length === 0 && <p class="faint">{isLoading ? "Loading…" : none}</p>}
    </div>
  );
}
