import { useQuery } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import { inWords, pricesOf } from "../play/prices.ts";
import { sayPrice } from "../play/usual-price.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Badges } from "../ui/badge.tsx";
import { Clip } from "../ui/clip.tsx";
import { anyOf, Choice, Find, hasWords } from "../ui/filters.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";

type Model = Answer<"/api/v1/ai/models">[number];

/** The parameters that a model's capabilities speak of, of any operation. */
const paramsOf = ({ capabilities = {} }: Model): string[] =>
  Object.values(capabilities).flatMap((area) =>
    Object.keys((area as { params?: object } | null)?.params ?? {}),
  );

/** What models can be chosen by. */
const FACETS: Record<string, { title: string; of: (model: Model) => string[] }> = {
  input: { title: "Input", of: ({ inputModalities }) => inputModalities },
  output: { title: "Output", of: ({ outputModalities }) => outputModalities },
  parameter: { title: "Parameter", of: paramsOf },
  "priced by": {
    title: "Priced by",
    of: ({ pricing }) => pricesOf(pricing).flatMap(({ prices }) => Object.keys(prices)),
  },
};

/** The models that can be asked for, with what they take, make and cost. */
export default function Models() {
  const list = useQuery({
    queryKey: ["models"],
    queryFn: ({ signal }) => call("get", "/api/v1/ai/models", { signal }),
  });
  return (
    <>
      <Head title="Models" about="What each takes, makes and costs." />
      <Awaited label="models" rows={20} of={list}>
        {(models) => <ModelList of={models} />}
      </Awaited>
    </>
  );
}

function ModelList({ of: models }: { of: readonly Model[] }) {
  const [params, set] = useParams();
  const { search } = params;
  const shown = models.filter(
    (model) =>
      hasWords(search, [model.modelId, model.name]) &&
      Object.entries(FACETS).every(([name, { of }]) => !params[name] || of(model).includes(params[name])),
  );
  return (
    <>
      <search class="filters">
        <Find
          name="Find a model"
          placeholder="Name of a model"
          value={search}
          onChange={(typed) => set({ search: typed }, true)}
        />
        {Object.entries(FACETS).map(([name, { title, of }]) => (
          <Choice
            key={name}
            name={title}
            value={params[name]}
            of={anyOf(models.flatMap(of).toSorted(), inWords)}
            onChange={(value) => set({ [name]: value })}
          />
        ))}
        <span class="faint">
          {shown.length} of {models.length}
        </span>
      </search>
      {shown.length === 0 ? (
        <Empty title="No model matches" icon="models">
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
              cell: ({ modelId }) => <Clip>{modelId}</Clip>,
              href: ({ modelId }) => `/console/model?${new URLSearchParams({ model: modelId })}`,
            },
            { title: "Name", drops: 1, cell: ({ name }) => (name === undefined ? "–" : <Clip>{name}</Clip>) },
            {
              title: "Input",
              drops: 2,
              card: "bare",
              cell: ({ inputModalities }) => <Badges of={inputModalities} />,
            },
            { title: "Output", drops: 3, cell: ({ outputModalities }) => <Badges of={outputModalities} /> },
            {
              title: "Price",
              card: "line",
              cell: (model) => <Clip isLong>{sayPrice(model) ?? "–"}</Clip>,
            },
          ]}
        />
      )}
    </>
  );
}
