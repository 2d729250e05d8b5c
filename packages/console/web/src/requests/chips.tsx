import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ErrorBoundary, lazy } from "preact-iso";
import { AccountName } from "../ui/account-name.tsx";
import { focusOnce } from "../ui/arrival.ts";
import { FIELDS, type FilterField, valuesOf } from "./fields.ts";
import type { Params, Whose } from "./source.ts";

/** It is loaded when a filter is opened. */
const FieldPanel = lazy(() => import("./panel.tsx"));

interface ChipsProps {
  params: Params;
  whose: Whose;
  keyNames: ReadonlyMap<string, string>;
  set: (change: Record<string, string | undefined>) => void;
}

/** The filters that are set, each a chip that opens it, and a menu of the others. */
export function Chips({ params, whose, keyNames, set }: ChipsProps) {
  const open = useSignal<string | undefined>(undefined);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      if (!root.current?.contains(target as Node)) open.value = undefined;
    };
    document.addEventListener("pointerdown", leave);
    return () => document.removeEventListener("pointerdown", leave);
  }, [open]);
  const close = (): void => {
    const opener = root.current?.querySelector<HTMLElement>("[aria-expanded=true]");
    open.value = undefined;
    opener?.focus();
  };
  const known = FIELDS.filter(({ isForOperator }) => !isForOperator || whose === "all");
  const chosen = known.filter(({ name }) => params[name]);
  const toggle = (name: string): void => {
    open.value = open.value === name ? undefined : name;
  };
  const panelOf = (field: FilterField) => (
    <ErrorBoundary>
      <FieldPanel
        field={field}
        value={params[field.name]}
        {...{ params, whose, keyNames }}
        onChange={(value: string | undefined) => set({ [field.name]: value })}
        onClose={close}
      />
    </ErrorBoundary>
  );
  const added = known.find(({ name }) => `add ${name}` === open.value);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what is open in it
    <div
      class="chips"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || open.value === undefined) return;
        event.stopPropagation();
        close();
      }}
    >
      {chosen.map((field) => (
        <span key={field.name} class="chip">
          <button
            type="button"
            title={params[field.name]}
            aria-expanded={open.value === field.name}
            onClick={() => toggle(field.name)}
          >
            {field.title} {field.verb}{" "}
            <b>
              {field.name === "account" ? (
                <AccountName of={params.account ?? ""} />
              ) : (
                textOf(field, params[field.name], keyNames)
              )}
            </b>
          </button>
          <button
            type="button"
            aria-label={`Remove the filter ${field.title}`}
            onClick={() => set({ [field.name]: undefined })}
          >
            ×
          </button>
          {open.value === field.name && panelOf(field)}
        </span>
      ))}
      <span class="chip add">
        <button
          type="button"
          aria-expanded={open.value?.startsWith("add") === true}
          onClick={() => toggle("add")}
        >
          + Filter
        </button>
        {open.value === "add" && (
          <div class="panel-menu">
            {known
              .filter(({ name }) => !params[name])
              .map(({ name, title }, at) => (
                <button
                  key={name}
                  type="button"
                  {...(at === 0 && { ref: focusOnce })}
                  onClick={() => {
                    open.value = `add ${name}`;
                  }}
                >
                  {title}
                </button>
              ))}
          </div>
        )}
        {added && panelOf(added)}
      </span>
      {chosen.length > 1 && (
        <button
          type="button"
          class="quiet"
          onClick={() => set(Object.fromEntries(chosen.map(({ name }) => [name, undefined])))}
        >
          Clear all
        </button>
      )}
    </div>
  );
}

/** The value of a filter, with the names that people gave. */
function textOf(
  { options, show, name }: FilterField,
  text: string | undefined,
  keys: ReadonlyMap<string, string>,
) {
  const nameOf = (value: string): string =>
    (name === "key" ? keys.get(value) : options?.find(([one]) => one === value)?.[1]) ?? value;
  if (show) return show(text ?? "");
  const values = valuesOf(text).map(nameOf);
  return values.length > 2 ? `${values[0]} and ${values.length - 1} others` : values.join(", ");
}
