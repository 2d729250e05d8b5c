import { useSignal } from "@preact/signals";
import { ONE_BY_ONE } from "../request/words.ts";
import { Icon } from "../ui/icons.tsx";
import { Select } from "../ui/select.tsx";
import {
  ChoiceField,
  type Draft,
  JsonField,
  ListField,
  ManyField,
  NumberField,
  setPart,
  TextField,
} from "./fields.tsx";
import { partAt, textsAt, withPart } from "./values.ts";
import { MODALITIES, PRICED } from "./words.ts";

/** The fields of a model: what callers see, and its routes. */
export function ModelFields({ of, providers }: { of: Draft; providers: readonly string[] }) {
  const routes = Array.isArray(of.value.entries) ? of.value.entries : [];
  return (
    <>
      <div class="schema-form">
        <ListField
          of={of}
          path="aliases"
          label="Further names"
          placeholder="none"
          hint="With commas between; * stands for any text, as in gpt-4o*."
        />
        <TextField of={of} path="name" label="Title" placeholder="none" hint="Shown in lists." />
        <ManyField of={of} path="input" label="Takes" options={MODALITIES} placeholder="text" />
        <ManyField of={of} path="output" label="Makes" options={MODALITIES} placeholder="text" />
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={of.value.active !== false}
          onChange={(event) => setPart(of, "active", event.currentTarget.checked ? undefined : false)}
        />
        Serve it
      </label>
      {routes.map((_, at) => (
        <RouteFields key={`${at} of ${routes.length}`} of={of} at={at} providers={providers} />
      ))}
      <button
        type="button"
        onClick={() => setPart(of, "entries", [...routes, { provider: providers[0], name: "" }])}
      >
        <Icon name="plus" />
        Add a route
      </button>
      <p class="hint">The route with the lowest priority is tried first, then the next.</p>
      <JsonField of={of} />
    </>
  );
}

/** A route: the provider, its own name for the model, and what it costs there. */
function RouteFields({ of, at, providers }: { of: Draft; at: number; providers: readonly string[] }) {
  const path = `entries.${at}`;
  const price = partAt(of.value, `${path}.price`) as Record<string, unknown> | undefined;
  const makes = textsAt({ output: ["text"], ...of.value }, "output");
  const usual = makes.includes("text") ? ["input", "output"] : makes.includes("embedding") ? ["input"] : [];
  const more = useSignal<string[]>([]);
  const shown = [...new Set([...usual, ...Object.keys(price ?? {}), ...more.value])];
  const setPrice = (unit: string, amount: unknown): void => {
    const next = withPart(price ?? {}, unit, amount);
    // An empty price would be a free model; 0 says that.
    setPart(of, `${path}.price`, Object.keys(next).length === 0 ? undefined : next);
  };
  return (
    <fieldset class="route">
      <legend>Route {at + 1}</legend>
      <div class="schema-form">
        <ChoiceField
          of={of}
          path={`${path}.provider`}
          label="Provider"
          placeholder="choose"
          options={providers.map((name) => ({ value: name, text: name }))}
        />
        <TextField of={of} path={`${path}.name`} label="Its name for the model" />
        <NumberField
          of={of}
          path={`${path}.priority`}
          label="Priority"
          placeholder="1"
          hint="Lower is tried first."
        />
        {shown.map((unit) => (
          <NumberField
            key={unit}
            of={of}
            path={`${path}.price.${unit}`}
            label={`${PRICED.find(({ value }) => value === unit)?.text ?? unit}, in US dollars`}
            placeholder={price === undefined ? "no price" : "free"}
            {...(!ONE_BY_ONE.has(unit) && { hint: "Per million." })}
            onNumber={(amount) => setPrice(unit, amount)}
          />
        ))}
      </div>
      <div class="acts">
        <Select
          label="Another price"
          hidesLabel
          placeholder="Add another price"
          value=""
          options={PRICED.filter(({ value }) => !shown.includes(value))}
          onChange={(unit) => {
            more.value = [...more.value, unit];
          }}
        />
        <button type="button" class="quiet" onClick={() => setPart(of, path, undefined)}>
          Remove this route
        </button>
      </div>
      {price === undefined && (
        <p class="hint">
          {usual.length > 0
            ? "Without a price it is not served; 0 is free."
            : "The known prices of the model apply, unless it gets one of its own."}
        </p>
      )}
    </fieldset>
  );
}
