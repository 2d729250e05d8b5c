import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Filled, Param } from "../play/schema-form.ts";
import { Select } from "./select.tsx";

interface SchemaFormProps {
  params: readonly Param[];
  filled: Filled;
  onFill: (name: string, value: string) => void;
  /** Why a parameter cannot be set, and what takes it. */
  refusal?: (name: string) => ComponentChildren;
  /** What else is to be known of some parameters. */
  notes?: Readonly<Record<string, ComponentChildren>>;
  /** What is wrong with what was typed, by parameter. */
  faults?: Filled;
}

/** The most values that a slider still meets. */
const SPAN = 1_000;

/** A field for each parameter of a schema; nothing is said of what is left alone. */
export const SchemaForm = ({ params, filled, onFill, refusal, notes = {}, faults = {} }: SchemaFormProps) => (
  <div class="schema-form">
    {params.map((param) =>
      param.kind === "refused" ? (
        <div key={param.name} class="field refused">
          <b>{param.title}</b>
          <p class="hint">{refusal?.(param.name) ?? "Not supported by this model."}</p>
        </div>
      ) : (
        <ParamField
          key={param.name}
          of={param}
          value={filled[param.name] ?? ""}
          note={notes[param.name]}
          fault={faults[param.name]}
          onFill={(value) => onFill(param.name, value)}
        />
      ),
    )}
  </div>
);

interface ParamFieldProps {
  of: Param;
  value: string;
  note: ComponentChildren;
  fault: string | undefined;
  onFill: (value: string) => void;
}

function ParamField({ of: param, value, note, fault, onFill }: ParamFieldProps) {
  const id = useId();
  const { title, kind, about, preset } = param;
  const isChoice = kind === "choice" || kind === "flag";
  const hints = [about, preset !== undefined && `default ${String(preset)}`, note].filter(Boolean);
  return (
    <div class="field">
      {!isChoice && <label for={id}>{title}</label>}
      <Input id={id} of={param} value={value} isWrong={fault !== undefined} onFill={onFill} />
      <p id={`${id}-note`} class={fault === undefined ? "hint" : "hint wrong"}>
        {fault ?? hints.map((hint, at) => [at > 0 && "; ", hint])}
      </p>
    </div>
  );
}

const FLAGS = ["true", "false"];
const NOT_SET = { value: "", text: "not set" };

interface InputProps {
  id: string;
  of: Param;
  value: string;
  isWrong: boolean;
  onFill: (value: string) => void;
}

function Input({ id, of: param, value, isWrong, onFill }: InputProps) {
  const { title, kind, values, min, max, isWhole, preset } = param;
  const common = { id, "aria-describedby": `${id}-note`, "aria-invalid": isWrong, value };
  if (kind === "choice" || kind === "flag")
    return (
      <Select
        label={title}
        describedBy={`${id}-note`}
        value={value}
        options={[NOT_SET, ...(kind === "flag" ? FLAGS : values).map((one) => ({ value: one, text: one }))]}
        onChange={onFill}
      />
    );
  if (kind === "number") {
    const hasSlider = min !== undefined && max !== undefined && max - min <= SPAN;
    return (
      <div class="acts">
        <input
          {...common}
          type="number"
          min={min}
          max={max}
          step={isWhole ? 1 : "any"}
          placeholder="not set"
          onInput={(event) => onFill(event.currentTarget.value)}
        />
        {hasSlider && (
          <input
            type="range"
            aria-label={`${title}, by a slider`}
            min={min}
            max={max}
            step={isWhole ? 1 : "any"}
            value={value === "" ? String(preset ?? min) : value}
            onInput={(event) => onFill(event.currentTarget.value)}
          />
        )}
      </div>
    );
  }
  if (kind === "texts")
    return (
      <textarea
        {...common}
        rows={1}
        placeholder="one a line"
        onInput={(event) => onFill(event.currentTarget.value)}
      />
    );
  if (values.length === 0)
    return <input {...common} placeholder="not set" onInput={(event) => onFill(event.currentTarget.value)} />;
  return (
    <>
      <input
        {...common}
        list={`${id}-list`}
        placeholder="not set"
        onInput={(event) => onFill(event.currentTarget.value)}
      />
      <datalist id={`${id}-list`}>
        {values.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}
