import { useSignal } from "@preact/signals";
import { compact, count } from "../format.ts";
import { inWords, UNITS } from "../request/words.ts";
import { Badge, Badges } from "../ui/badge.tsx";
import { Typed } from "../ui/filters.tsx";
import { Empty } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import {
  type Choice,
  choiceOf,
  makesOf,
  missingOf,
  type Proposed,
  takesOf,
  unitsOf,
  windowOf,
} from "./wizard.ts";

/** The most rows: of longer lists a name is typed. */
const MOST = 60;

interface ChecklistProps {
  provider: string;
  of: readonly Proposed[];
  choices: ReadonlyMap<string, Choice>;
  onChange: (choices: ReadonlyMap<string, Choice>) => void;
  /** What is missing is marked once the change was to be reviewed. */
  marksMissing: boolean;
}

/** The models that a provider lists, to choose from, with their prices. */
export function Checklist({ provider, of: models, choices, onChange, marksMissing }: ChecklistProps) {
  const typed = useSignal("");
  const found = models
    .filter(({ name }) => name.toLowerCase().includes(typed.value.toLowerCase()))
    .toSorted((a, b) => rank(a) - rank(b));
  // A row stays where it is when it is chosen; chosen ones are shown however long the list is.
  const shown = found.filter(({ name }, at) => at < MOST || choices.has(name));
  const set = (name: string, to: Choice | undefined): void => {
    const next = new Map(choices);
    if (to) next.set(name, to);
    else next.delete(name);
    onChange(next);
  };
  if (models.length === 0)
    return (
      <Empty title="It lists no models">
        <p>Add the provider by itself, and its models by their names in the catalog.</p>
      </Empty>
    );
  return (
    <>
      <search class="filters">
        <Typed
          name="Model"
          value={typed.value}
          onChange={(value) => {
            typed.value = value;
          }}
        />
        <span class="faint">
          {count(choices.size)} chosen of {count(models.length)}
        </span>
      </search>
      <Table
        caption="Models that it lists"
        rows={shown}
        keyOf={({ name }) => name}
        columns={[
          {
            title: "Model",
            cell: (model) => (
              <label class="check">
                <input
                  type="checkbox"
                  checked={choices.has(model.name)}
                  onChange={({ currentTarget: { checked } }) =>
                    set(model.name, checked ? choiceOf(model, provider) : undefined)
                  }
                />
                <span class="name" title={model.name}>
                  {model.name}
                </span>
                {model.isRetired && <Badge tone="warn">retired</Badge>}
              </label>
            ),
          },
          { title: "Takes", drops: 1, cell: (model) => <Badges of={takesOf(model)} /> },
          { title: "Makes", drops: 3, cell: (model) => <Badges of={makesOf(model)} /> },
          {
            title: "Window",
            drops: 2,
            isNumber: true,
            cell: (model) => {
              const tokens = windowOf(model);
              return tokens === undefined ? "–" : compact(tokens);
            },
          },
          {
            title: "US dollars per million tokens",
            card: "line",
            cell: (model) => <Prices of={model} {...{ choices, set, marksMissing }} />,
          },
          {
            title: "Name for callers",
            cell: (model) =>
              choices.has(model.name) || model.declared !== undefined ? (
                <CallersName of={model} {...{ choices, set }} />
              ) : (
                "–"
              ),
          },
        ]}
      />
      {found.length > MOST && (
        <p class="faint">And {count(found.length - MOST)} others: type a part of a name to find one.</p>
      )}
    </>
  );
}

/** Models with prices come first, then by name as the provider lists them. */
const rank = ({ isPriced, isRetired }: Proposed): number => (isRetired ? 2 : isPriced ? 0 : 1);

interface CellProps {
  of: Proposed;
  choices: ReadonlyMap<string, Choice>;
  set: (name: string, to: Choice) => void;
}

/** The prices of a model: known ones as they are, and to type once it is chosen. */
function Prices({ of: model, choices, set, marksMissing }: CellProps & { marksMissing: boolean }) {
  const units = unitsOf(model);
  const choice = choices.get(model.name);
  if (units.length === 0) return <>as known</>;
  if (!choice) {
    const { prices } = choiceOf(model, "");
    return <>{model.isPriced ? units.map((unit) => prices[unit] || "?").join(" / ") : "not known"}</>;
  }
  const missing = marksMissing ? missingOf(choice) : [];
  return (
    <span class="prices">
      {units.map((unit) => (
        <label key={unit}>
          <span class="faint">{unit === "input" ? "in" : "out"}</span>
          <input
            class="short number"
            inputMode="decimal"
            aria-label={`${inWords(UNITS, unit)} of ${model.name}, US dollars per million`}
            aria-invalid={missing.includes(unit)}
            value={choice.prices[unit]}
            onInput={({ currentTarget: { value } }) =>
              set(model.name, { ...choice, prices: { ...choice.prices, [unit]: value } })
            }
          />
        </label>
      ))}
      {missing.length > 0 && <span class="wrong">a price, or 0 if it is free</span>}
    </span>
  );
}

/** What callers name; another model of that name here gets a further route. */
function CallersName({ of: model, choices, set }: CellProps) {
  const choice = choices.get(model.name);
  if (!choice) return model.declared ? <Badge>declared {PLACES[model.declared]}</Badge> : null;
  return (
    <span class="prices">
      <input
        aria-label={`Name of ${model.name} for callers`}
        value={choice.id}
        onInput={({ currentTarget: { value } }) => set(model.name, { ...choice, id: value })}
      />
      {model.declared === "database" && choice.id === model.name && <Badge>a further route</Badge>}
    </span>
  );
}

const PLACES = { database: "here", file: "in the file", service: "built in" };
