import { EXPLAINED } from "../play/surfaces.ts";
import { Choice, Typed } from "../ui/filters.tsx";

type Options = readonly (readonly [value: string, text: string])[];

interface RoutingFormProps {
  params: Record<string, string>;
  set: (change: Record<string, string | undefined>) => void;
  accounts: Options;
  models: readonly string[];
  providers: readonly string[];
}

const LISTS = {
  order: "Preferred providers",
  only: "Only these providers",
  ignore: "Excluded providers",
} as const;

/** The form for a request's account, path and provider preferences. */
export const RoutingForm = ({ params, set, accounts, models, providers }: RoutingFormProps) => {
  const to = (name: string) => (value: string) => set({ [name]: value });
  const known = providers.map((id) => [id, id] as const);
  return (
    <search class="filters">
      <Choice name="Account" value={params.account} of={accounts} onChange={to("account")} isFirst />
      <Choice
        name="Surface"
        value={params.surface}
        of={Object.entries(EXPLAINED).map(([name, { title }]) => [name, title])}
        onChange={to("surface")}
      />
      <Choice name="Model" value={params.model} of={models.map((id) => [id, id])} onChange={to("model")} />
      <Choice
        name="Sort by"
        value={params.sort}
        of={[
          ["", "default order"],
          ["price", "price"],
          ["latency", "time to first byte"],
          ["throughput", "tokens per second"],
        ]}
        onChange={to("sort")}
      />
      {Object.entries(LISTS).map(([name, title]) => (
        <Typed
          key={name}
          name={title}
          value={params[name]}
          suggestions={known}
          placeholder={name === "ignore" ? "none" : "any"}
          onChange={to(name)}
        />
      ))}
      <Choice
        name="On failure"
        value={params.fallbacks}
        of={[
          ["", "try the next route"],
          ["no", "try no other"],
        ]}
        onChange={to("fallbacks")}
      />
    </search>
  );
};
