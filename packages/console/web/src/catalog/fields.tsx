import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Described, Field } from "../ui/form.tsx";
import type { Option } from "../ui/options.ts";
import { MultiSelect, Select } from "../ui/select.tsx";
import type { Value } from "./calls.ts";
import { partAt, textsAt, withPart } from "./values.ts";

/** A member while it is edited. */
export type Draft = Signal<Value>;

interface FieldProps {
  of: Draft;
  /** The place of the value in the member, by which the service names it. */
  path: string;
  label: string;
  hint?: ComponentChildren;
  placeholder?: string;
}

/** Sets a part of a draft. */
export function setPart(of: Draft, path: string, part: unknown): void {
  of.value = withPart(of.value, path, part);
}

/** A text; nothing typed means that there is no such member. */
export const TextField = ({ of, path, isSecret = false, ...field }: FieldProps & { isSecret?: boolean }) => (
  <Field
    {...field}
    name={path}
    {...(isSecret && { type: "password" as const, autocomplete: "off" as const })}
    value={String(partAt(of.value, path) ?? "")}
    onInput={(text) => setPart(of, path, text === "" ? undefined : text)}
  />
);

interface NumberProps extends FieldProps {
  /** Default: sets the part of the draft at the path. */
  onNumber?: (number: number | string | undefined) => void;
}

/** What is typed for a part, as long as the draft has no other one: the draft may be changed as JSON, too. */
const shownText = (typed: string, stored: unknown, read: (text: string) => unknown, show: string): string =>
  JSON.stringify(read(typed)) === JSON.stringify(stored) ? typed : show;

const toNumber = (text: string): number | string | undefined => {
  const number = Number(text);
  return text.trim() === "" ? undefined : Number.isNaN(number) ? text : number;
};

const toTexts = (text: string): string[] | undefined => {
  const items = text.split(",").map((item) => item.trim());
  const given = items.filter(Boolean);
  return given.length === 0 ? undefined : given;
};

/** A number. What is none is kept as it is typed, so that the service says what is expected. */
export function NumberField({
  of,
  path,
  onNumber = (part) => setPart(of, path, part),
  ...field
}: NumberProps) {
  const stored = partAt(of.value, path);
  const written = stored === undefined ? "" : String(stored);
  const typed = useSignal(written);
  return (
    <Field
      {...field}
      name={path}
      inputMode="decimal"
      value={shownText(typed.value, stored, toNumber, written)}
      onInput={(text) => {
        typed.value = text;
        onNumber(toNumber(text));
      }}
    />
  );
}

/** Several texts with commas between. */
export function ListField({ of, path, ...field }: FieldProps) {
  const written = textsAt(of.value, path).join(", ");
  const typed = useSignal(written);
  return (
    <Field
      {...field}
      name={path}
      value={shownText(typed.value, partAt(of.value, path), toTexts, written)}
      onInput={(text) => {
        typed.value = text;
        setPart(of, path, toTexts(text));
      }}
    />
  );
}

interface ChoiceProps extends FieldProps {
  options: readonly Option[];
  takesTyped?: boolean;
}

/** One of several values. */
export const ChoiceField = ({ of, path, hint, ...select }: ChoiceProps) => (
  <Described name={path} hint={hint}>
    {(described) => (
      <Select
        {...select}
        {...described}
        value={partAt(of.value, path) as string | undefined}
        onChange={(value) => setPart(of, path, value === "" ? undefined : value)}
      />
    )}
  </Described>
);

/** Any of several values. */
export const ManyField = ({ of, path, hint, ...select }: ChoiceProps) => (
  <Described name={path} hint={hint}>
    {(described) => (
      <MultiSelect
        {...select}
        {...described}
        values={textsAt(of.value, path)}
        onChange={(values) => setPart(of, path, values.length === 0 ? undefined : values)}
      />
    )}
  </Described>
);

/** A member written as JSON. Throws an error that says what is wrong with it. */
function readMember(text: string): Value {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`This is no JSON yet: ${(error as Error).message}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Value;
  throw new Error("It has to be an object, in braces.");
}

/** What is typed, the draft that it was read as, and what is wrong with it. */
interface TypedJson {
  text: string;
  draft: Value;
  fault?: string;
}

/** The whole as JSON, for members that have no field of their own. What is wrong with it keeps the form from being sent. */
export function JsonField({ of }: { of: Draft }) {
  const id = useId();
  const last = useSignal<TypedJson | undefined>(undefined);
  // The fields above change the draft as well.
  const typed = last.value?.draft === of.value ? last.value : undefined;
  const type = (text: string): void => {
    try {
      of.value = readMember(text);
      last.value = { text, draft: of.value };
    } catch (error) {
      last.value = { text, draft: of.value, fault: (error as Error).message };
    }
  };
  return (
    <details>
      <summary>All of it, as JSON</summary>
      <div class="field">
        <label for={id} class="hidden">
          JSON
        </label>
        <textarea
          id={id}
          class="code"
          rows={12}
          spellcheck={false}
          aria-invalid={typed?.fault !== undefined}
          aria-describedby={`${id}-note`}
          ref={(area) => area?.setCustomValidity(typed?.fault ?? "")}
          value={typed?.text ?? JSON.stringify(of.value, null, 2)}
          onInput={(event) => type(event.currentTarget.value)}
        />
        <p id={`${id}-note`} class={typed?.fault === undefined ? "hint" : "hint wrong"}>
          {typed?.fault ??
            "In the form of the configuration file. “sealed …” stands for a stored credential."}
        </p>
      </div>
    </details>
  );
}
