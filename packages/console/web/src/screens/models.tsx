import { useQuery } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import { pricesOf } from "../play/prices.ts";
import { sayPrice } from "../play/usual-price.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Badges } from "../ui/badge.tsx";
import { anyOf, Choice } from "../ui/filters.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";

type Model = Answer<"/api/v1/ai/models">[number];

/** The parameters that a model's capabilities speak of, of any operation. */
const paramsOf = ({ capabilities = {} }: Model): string[] =>
  Object.values(capabilities).flatMap((area) =>
    Object.keys((area as { params?: object } | null)?.params ?? {}),
  );

/** What models can be chosen by. */
const FACETS: Record<string, (model: Model) => string[]> = {
  input: ({ inputModalities }) => inputModalities,
  output: ({ outputModalities }) => outputModalities,
  parameter: paramsOf,
  "priced by": ({ pricing }) => pricesOf(pricing).flatMap(({ prices }) => Object.keys(prices)),
};

/** The models that can be asked for, with what they take, make and cost. */
export default function Models() {
  const list = useQuery({
    queryKey: ["models"],
    queryFn: ({ signal }) => call("get", "/api/v1/ai/models", { signal }),
  });
  return (
    <>
      <Head title="Models" about={list.data && `${list.data.length} in all`} />
      <Awaited label="models" of={list}>
        {(models) => <ModelList of={models} />}
      </Awaited>
    </>
  );
}

function ModelList({ of: models }: { of: readonly Model[] }) {
  const [params, set] = useParams();
  const shown = models.filter((model) =>
    Object.entries(FACETS).every(([name, of]) => !params[name] || of(model).includes(params[name])),
  );
  return (
    <>
      <search class="filters">
        {Object.entries(FACETS).map(([name, of], at) => (
          <Choice
            key={name}
            name={name}
            value={params[name]}
            of={anyOf(models.flatMap(of).toSorted())}
            onChange={(value) => set({ [name]: value })}
            isFirst={at === 0}
          />
        ))}
        <span class="faint">
          {shown.length} of {models.length}
        </span>
      </search>
      {shown.length === 0 ? (
        <Empty>
          <p>No model matches these filters.</p>
          <a class="button" href="/console/models">
            Show all
          </a>
        </Empty>
      ) : (
        <Table
          caption="Models"
          rows={shown}
          keyOf={({ modelId }) => modelId}
          columns={[
            {
              title: "Model",
              cell: ({ modelId }) => modelId,
              href: ({ modelId }) => `/console/model?${new URLSearchParams({ model: modelId })}`,
            },
            { title: "Name", cell: ({ name }) => <span class="folded">{name ?? "–"}</span> },
            { title: "Input", cell: ({ inputModalities }) => <Badges of={inputModalities} /> },
            { title: "Output", cell: ({ outputModalities }) => <Badges of={outputModalities} /> },
            {
              title: "Price",
              cell: (model) => <span class="folded">{sayPrice(model) ?? "–"}</span>,
            },
          ]}
        />
      )}
    </>
  );
}
