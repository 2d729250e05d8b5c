import { useId } from "preact/hooks";
import { Icon } from "./icons.tsx";
import { Select } from "./select.tsx";

type Options = readonly (readonly [value: string, text: string])[];

interface FilterProps {
  name: string;
  value: string | undefined;
  onChange: (value: string) => void;
  /** The one that the key for filters goes to. */
  isFirst?: boolean;
}

const marked = (isFirst: boolean): object => (isFirst ? { "data-filter": true } : {});

/** Any of these values, or all. */
export const anyOf = (values: Iterable<string>, show = (value: string): string => value): Options => [
  ["", "all"],
  ...[...new Set(values)].map((value) => [value, show(value)] as const),
];

/** A filter that is one of several values. */
export const Choice = ({ name, of, ...select }: FilterProps & { of: Options }) => (
  <Select label={name} options={of.map(([value, text]) => ({ value, text }))} isInline {...select} />
);

/** A filter of a list that is there as a whole: it narrows with every letter. */
export const Find = ({ name, value = "", placeholder, onChange }: FindProps) => (
  <label class="typed find-in">
    <Icon name="search" />
    <span class="hidden">{name}</span>
    <input
      type="search"
      data-filter
      autocomplete="off"
      spellcheck={false}
      placeholder={placeholder}
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  </label>
);

interface FindProps {
  name: string;
  value: string | undefined;
  /** What is looked through. */
  placeholder: string;
  onChange: (value: string) => void;
}

/** Checks whether these texts have every word that was typed. */
export function hasWords(typed: string | undefined, texts: readonly (string | undefined)[]): boolean {
  const text = texts.join("\n").toLowerCase();
  return (typed ?? "")
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

interface TypedProps extends FilterProps {
  type?: "search" | "date";
  /** Values to choose from, where others are allowed too. */
  suggestions?: Options;
  placeholder?: string;
}

/** A filter that is typed in; it counts once it is left or sent by Enter. */
export function Typed({
  name,
  value = "",
  type = "search",
  suggestions,
  placeholder,
  onChange,
  isFirst = false,
}: TypedProps) {
  const list = useId();
  const more = { ...(suggestions && { list }), ...(placeholder !== undefined && { placeholder }) };
  return (
    <>
      <label class="typed">
        <span>{name}</span>
        <input
          {...({ type, ...more, ...marked(isFirst) } as object)}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value.trim())}
        />
      </label>
      {suggestions && (
        <datalist id={list}>
          {suggestions.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}
