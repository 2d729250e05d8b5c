import { useSignal } from "@preact/signals";
import { count } from "../format.ts";
import { focusOnce } from "../ui/arrival.ts";
import { useSeries } from "../usage/series.ts";
import { rangeIn } from "../usage/time.ts";
import { type FilterField, valuesOf } from "./fields.ts";
import { type Params, seriesOf, type Whose } from "./source.ts";

interface PanelProps {
  field: FilterField;
  value: string | undefined;
  params: Params;
  whose: Whose;
  keyNames: ReadonlyMap<string, string>;
  onChange: (value: string | undefined) => void;
  onClose: () => void;
}

/** Changes one filter: values to choose from, with those typed in between, or a value to type. */
export function FieldPanel(props: PanelProps) {
  const { field, value, onChange, onClose } = props;
  if (field.split) return <Counted {...props} />;
  if (field.options)
    return <Choices {...props} options={field.options.map(([name, text]) => ({ name, text }))} />;
  return (
    <form
      class="panel-menu"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get("value");
        onChange(String(typed ?? "").trim() || undefined);
        onClose();
      }}
    >
      <label>
        <span>
          {field.title} {field.verb}
        </span>
        <input
          name="value"
          ref={focusOnce}
          autocomplete="off"
          value={value ?? ""}
          placeholder={field.typed?.placeholder ?? ""}
          inputMode={field.typed?.mode ?? "text"}
        />
      </label>
      <button type="submit" class="main">
        Apply
      </button>
    </form>
  );
}

interface Option {
  name: string;
  text: string;
  count?: number;
}

/** The most values that are offered of what was used; others are found by typing their whole name. */
const OFFERED = 50;

/** The values that requests of the range have, the most frequent first. */
function Counted(props: PanelProps) {
  const { field, params, whose, keyNames } = props;
  const { from, to } = rangeIn(params);
  const account = params.account && field.split !== "account" ? { account: params.account } : {};
  const shown = { bucket: "month", by: field.split, measure: "requests", top: OFFERED } as const;
  const { data } = useSeries({ from, to, ...shown, ...account }, seriesOf(whose));
  const found = (data?.series ?? []).flatMap(({ name, displayName, total }): Option[] =>
    name ? [{ name, text: displayName ?? name, count: total.requests }] : [],
  );
  const others = field.split === "key" ? [...keyNames] : [];
  const unused = others.filter(([id]) => found.every(({ name }) => name !== id));
  const options = [...found, ...unused.map(([name, text]) => ({ name, text, count: 0 }))];
  return <Choices {...props} options={options} />;
}

function Choices({ field, value, options, onChange, onClose }: PanelProps & { options: readonly Option[] }) {
  const typed = useSignal("");
  const values = valuesOf(value);
  const wanted = typed.value.trim().toLowerCase();
  const missing = values.filter((one) => options.every(({ name }) => name !== one));
  const all = [...missing.map((name): Option => ({ name, text: name })), ...options];
  const shown = all.filter(({ name, text }) => `${name} ${text}`.toLowerCase().includes(wanted));
  const choose = (name: string, isOn: boolean): void => {
    if (!field.isMany) {
      onChange(isOn ? name : undefined);
      onClose();
      return;
    }
    onChange((isOn ? [...values, name] : values.filter((one) => one !== name)).join(",") || undefined);
  };
  return (
    <div class="panel-menu">
      <input
        ref={focusOnce}
        type="search"
        aria-label={`Find ${field.title}`}
        placeholder={`Find ${field.title.toLowerCase()}`}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          const name = shown[0]?.name ?? typed.value.trim();
          if (name) choose(name, !values.includes(name));
        }}
      />
      <fieldset>
        <legend class="hidden">{field.title}</legend>
        {shown.map(({ name, text, count: requests }) => (
          <label key={name}>
            <input
              type={field.isMany ? "checkbox" : "radio"}
              name={field.name}
              checked={values.includes(name)}
              onChange={(event) => choose(name, event.currentTarget.checked)}
            />
            <span title={name}>{text}</span>
            {requests !== undefined && <span class="faint number">{count(requests)}</span>}
          </label>
        ))}
        {shown.length === 0 && (
          <p class="faint">{wanted ? "Enter takes what you typed." : "None in this range."}</p>
        )}
      </fieldset>
    </div>
  );
}
