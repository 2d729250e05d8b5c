import { useId } from "preact/hooks";
import type { Filled, Param } from "../play/schema-form.ts";
import { Select } from "./select.tsx";

interface SchemaFormProps {
  params: readonly Param[];
  filled: Filled;
  onFill: (name: string, value: string) => void;
}

/** The most values that a slider still meets. */
const SPAN = 1_000;

/** A field for each parameter of a schema; nothing is said of what is left alone. */
export const SchemaForm = ({ params, filled, onFill }: SchemaFormProps) => (
  <div class="schema-form">
    {params.map((param) => (
      <ParamField
        key={param.name}
        of={param}
        value={filled[param.name] ?? ""}
        onFill={(value) => onFill(param.name, value)}
      />
    ))}
  </div>
);

interface ParamFieldProps {
  of: Param;
  value: string;
  onFill: (value: string) => void;
}

function ParamField({ of: param, value, onFill }: ParamFieldProps) {
  const id = useId();
  const { name, kind, about, preset } = param;
  if (kind === "refused")
    return (
      <div class="field refused">
        <b>{name}</b>
        <p class="hint">Not supported by this model.</p>
      </div>
    );
  const isChoice = kind === "choice" || kind === "flag";
  return (
    <div class="field">
      {!isChoice && <label for={id}>{name}</label>}
      <Input id={id} of={param} value={value} onFill={onFill} />
      <p id={`${id}-note`} class="hint">
        {about}
        {about !== undefined && preset !== undefined && "; "}
        {preset !== undefined && `default ${String(preset)}`}
      </p>
    </div>
  );
}

const FLAGS = ["true", "false"];
const NOT_SET = { value: "", text: "not set" };

function Input({ id, of: param, value, onFill }: ParamFieldProps & { id: string }) {
  const { kind, values, min, max, isWhole, preset } = param;
  const common = { id, "aria-describedby": `${id}-note`, value };
  if (kind === "choice" || kind === "flag")
    return (
      <Select
        label={param.name}
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
            aria-label={`${param.name}, by a slider`}
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
