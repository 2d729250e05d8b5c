import { count, duration, usd } from "../format.ts";
import { pricesOf } from "../play/prices.ts";
import { Status } from "../ui/parts.tsx";
import { Select } from "../ui/select.tsx";
import { Table } from "../ui/table.tsx";
import type { Entry, Supposed } from "./ask.ts";
import { EntryName } from "./name.tsx";

interface EntriesProps {
  of: readonly Entry[];
  supposed: Readonly<Record<string, Supposed>>;
  suppose: (id: string, change: Supposed) => void;
}

/** What a million tokens cost in and out, or whatever else it is sold by; all of it is a hover away. */
function Price({ of: pricing }: { of: Entry["pricing"] }) {
  const [first] = pricesOf(pricing);
  if (!first) return <>none</>;
  const { input, output } = first.prices;
  const isText = input !== undefined && output !== undefined;
  return (
    <span title={first.text}>{isText ? `${usd(input)} in, ${usd(output)} out per million` : first.text}</span>
  );
}

const CIRCUITS = [
  { value: "", text: "no change" },
  { value: "closed", text: "closed" },
  { value: "open", text: "open" },
];

/** All entries of the model as the account finds them, and what to take them for instead. */
export function Entries({ of: entries, supposed, suppose }: EntriesProps) {
  const change = (id: string, name: keyof Supposed, value: Supposed[keyof Supposed]): void => {
    const { [name]: _, ...rest } = supposed[id] ?? {};
    suppose(id, value === undefined ? rest : { ...rest, [name]: value });
  };
  return (
    <Table
      caption="Routes of the model"
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        { title: "Route", cell: ({ provider, name }) => <EntryName provider={provider} name={name} /> },
        { title: "Price", cell: ({ pricing }) => <Price of={pricing} /> },
        { title: "Circuit", cell: ({ circuit, isActive }) => <Status of={isActive ? circuit : "paused"} /> },
        { title: "First byte", drops: 2, isNumber: true, cell: ({ latency }) => duration(latency) },
        {
          title: "Tokens/s",
          drops: 2,
          isNumber: true,
          cell: ({ throughput }) => (throughput === undefined ? "–" : count(Math.round(throughput))),
        },
        {
          title: "Simulate circuit",
          cell: ({ id, provider }) => (
            <Select
              label={`What if the circuit of ${provider} is`}
              hidesLabel
              value={supposed[id]?.circuit ?? ""}
              options={CIRCUITS}
              onChange={(value) =>
                change(id, "circuit", value === "" ? undefined : (value as Entry["circuit"]))
              }
            />
          ),
        },
        {
          title: "Simulate latency (ms)",
          cell: ({ id, provider }) => (
            <input
              type="number"
              min="0"
              max="3600000"
              class="short"
              placeholder="none"
              aria-label={`What if ${provider} takes, in milliseconds`}
              value={supposed[id]?.latency ?? ""}
              onChange={({ currentTarget: { value } }) =>
                change(id, "latency", value === "" ? undefined : Number(value))
              }
            />
          ),
        },
      ]}
    />
  );
}
