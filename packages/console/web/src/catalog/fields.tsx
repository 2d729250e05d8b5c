import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Described, Field } from "../ui/form.tsx";
import type { Option } from "../ui/options.ts";
import { MultiSelect, Select } from "../ui/select.tsx";
import type { Value } from "./calls.ts";
import { partAt, withPart } from "./values.ts";

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

/** A number. What is none is kept as it is typed, so that the service says what is expected. */
export function NumberField({
  of,
  path,
  onNumber = (part) => setPart(of, path, part),
  ...field
}: NumberProps) {
  const stored = partAt(of.value, path);
  const typed = useSignal(stored === undefined ? "" : String(stored));
  return (
    <Field
      {...field}
      name={path}
      inputMode="decimal"
      value={typed.value}
      onInput={(text) => {
        typed.value = text;
        const number = Number(text);
        onNumber(text.trim() === "" ? undefined : Number.isNaN(number) ? text : number);
      }}
    />
  );
}

/** Several texts with commas between. */
export function ListField({ of, path, ...field }: FieldProps) {
  const typed = useSignal(((partAt(of.value, path) ?? []) as string[]).join(", "));
  return (
    <Field
      {...field}
      name={path}
      value={typed.value}
      onInput={(text) => {
        typed.value = text;
        const items = text.split(",").map((item) => item.trim());
        const given = items.filter(Boolean);
        setPart(of, path, given.length === 0 ? undefined : given);
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
        values={(partAt(of.value, path) ?? []) as string[]}
        onChange={(values) => setPart(of, path, values.length === 0 ? undefined : values)}
      />
    )}
  </Described>
);

/** The whole as JSON, for members that have no field of their own. */
export function JsonField({ of }: { of: Draft }) {
  const id = useId();
  const typed = useSignal<string | undefined>(undefined);
  const fault = useSignal<string | undefined>(undefined);
  return (
    <details
      onToggle={() => {
        typed.value = undefined;
      }}
    >
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
          aria-invalid={fault.value !== undefined}
          aria-describedby={`${id}-note`}
          value={typed.value ?? JSON.stringify(of.value, null, 2)}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            try {
              of.value = JSON.parse(typed.value) as Value;
              fault.value = undefined;
            } catch (error) {
              fault.value = `This is no JSON yet: ${(error as Error).message}`;
            }
          }}
        />
        <p id={`${id}-note`} class={fault.value === undefined ? "hint" : "hint wrong"}>
          {fault.value ?? "In the form of the configuration file. “sealed …” stands for a stored credential."}
        </p>
      </div>
    </details>
  );
}
