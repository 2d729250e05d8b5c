import { useQuery } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import { Calls, Types } from "../model/calls.tsx";
import { Takes } from "../model/takes.tsx";
import { type PriceRow, pricesOf, sayUnit } from "../play/prices.ts";
import type { Schema } from "../play/schema-form.ts";
import { useParams } from "../state/url.ts";
import { Awaited, together } from "../ui/awaited.tsx";
import { Badges } from "../ui/badge.tsx";
import { Json } from "../ui/json.tsx";
import { Facts, Head, Id } from "../ui/parts.tsx";
import { Section } from "../ui/section.tsx";
import { Table } from "../ui/table.tsx";
import { Tabs } from "../ui/tabs.tsx";

type Model = Answer<"/api/v1/ai/models/{modelId}">;

/** One model: what it costs, what it takes, and how it is called. */
export default function ModelPage() {
  const [{ model: modelId = "" }] = useParams();
  const path = { modelId };
  // This screen stays while the next one loads, whose address names no model.
  const enabled = modelId !== "";
  const model = useQuery({
    queryKey: ["model", modelId],
    queryFn: ({ signal }) => call("get", "/api/v1/ai/models/{modelId}", { path, signal }),
    enabled,
  });
  const schema = useQuery({
    queryKey: ["schema", modelId],
    queryFn: ({ signal }) => call("get", "/api/v1/ai/schemas/{modelId}", { path, signal }),
    enabled,
  });
  const hasPlay = model.data?.outputModalities.includes("text");
  return (
    <>
      <Head title={model.data?.name ?? modelId} about={<Id of={modelId} />}>
        <a class="button" href={`/console/explain?${new URLSearchParams({ model: modelId })}`}>
          Explain
        </a>
        <a
          class="button"
          href={`/console/${hasPlay === false ? "media" : "play"}?${new URLSearchParams({ model: modelId })}`}
        >
          Open in playground
        </a>
      </Head>
      <Awaited label="the model" of={together([model, schema])}>
        {([one, takes]) => <OneModel of={one} schema={takes} />}
      </Awaited>
    </>
  );
}

function OneModel({ of: one, schema }: { of: Model; schema: Answer<"/api/v1/ai/schemas/{modelId}"> }) {
  const [params, set] = useParams();
  const { modelId } = one;
  const tabs = {
    takes: {
      title: "Parameters",
      body: <Takes of={schema as Schema} />,
    },
    schema: { title: "JSON Schema", body: <Json value={schema} label="The JSON Schema" /> },
    types: { title: "TypeScript", body: <Types of={modelId} /> },
    ...(one.outputModalities.includes("text") && {
      calls: { title: "Examples", body: <Calls of={modelId} /> },
    }),
  };
  return (
    <>
      <Facts
        of={[
          ["Input", <Badges key="i" of={one.inputModalities} />],
          ["Output", <Badges key="o" of={one.outputModalities} />],
          ["Revision", String(one.revision)],
        ]}
      />
      <Prices of={one} />
      <Section title="How to call it">
        <Tabs of={tabs} open={params.tab} onOpen={(tab) => set({ tab })} />
      </Section>
    </>
  );
}

function Prices({ of: { pricing } }: { of: Model }) {
  const rows = pricesOf(pricing);
  if (rows.length === 0)
    return (
      <Section title="Price">
        <p>This model has no price.</p>
      </Section>
    );
  const units = [...new Set(rows.flatMap(({ prices }) => Object.keys(prices)))];
  return (
    <Section title="Price" about={rows.length > 1 && "The first line that fits a request counts."}>
      <Table
        caption="Prices"
        isSmall={units.length < 3}
        rows={rows}
        keyOf={({ when }) => when}
        columns={[
          { title: "For", cell: ({ when }) => when },
          ...units.map((unit) => ({
            title: sayUnit(unit),
            amount: ({ prices }: PriceRow) => prices[unit],
          })),
        ]}
      />
    </Section>
  );
}
