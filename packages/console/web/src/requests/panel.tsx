import { focusField, focusOnce } from "../ui/arrival.ts";
import { OptionList } from "../ui/option-list.tsx";
import type { Option } from "../ui/options.ts";
import { nameOf } from "../usage/measures.ts";
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
export default function FieldPanel(props: PanelProps) {
  const { field, value, onChange, onClose } = props;
  if (field.split) return <Counted {...props} />;
  if (field.options)
    return <Choices {...props} options={field.options.map(([value, text]) => ({ value, text }))} />;
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

/** The most values that are offered of what was used; others are found by typing their whole name. */
const OFFERED = 50;

/** The values that requests of the range have, the most frequent first. */
function Counted(props: PanelProps) {
  const { field, params, whose, keyNames } = props;
  const { from, to } = rangeIn(params);
  const account = params.account && field.split !== "account" ? { account: params.account } : {};
  const shown = { bucket: "month", by: field.split, measure: "requests", top: OFFERED } as const;
  const { data, isPending } = useSeries({ from, to, ...shown, ...account }, seriesOf(whose));
  const found = (data?.series ?? []).flatMap((one): Option[] =>
    one.name ? [{ value: one.name, text: nameOf(one, field.split), count: one.total.requests }] : [],
  );
  const others = field.split === "key" ? [...keyNames] : [];
  const unused = others.filter(([id]) => found.every(({ value }) => value !== id));
  const options = [...found, ...unused.map(([value, text]) => ({ value, text, count: 0 }))];
  return <Choices {...props} options={options} isLoading={isPending} />;
}

interface ChoicesProps extends PanelProps {
  options: readonly Option[];
  isLoading?: boolean;
}

function Choices({ field, value, options, isLoading = false, onChange, onClose }: ChoicesProps) {
  const values = valuesOf(value);
  const missing = values.filter((one) => options.every((option) => option.value !== one));
  const choose = (one: string): void => {
    const others = values.filter((other) => other !== one);
    const isOn = others.length === values.length;
    const next = field.isMany ? [...others, ...(isOn ? [one] : [])] : isOn ? [one] : [];
    onChange(next.join(",") || undefined);
    if (!field.isMany) onClose();
  };
  return (
    <div class="panel-menu" ref={focusField}>
      <OptionList
        label={field.title}
        options={[...missing.map((one) => ({ value: one, text: one })), ...options]}
        selected={values}
        isMany={field.isMany ?? false}
        takesTyped={field.split !== undefined}
        isLoading={isLoading}
        onChoose={choose}
      />
    </div>
  );
}
