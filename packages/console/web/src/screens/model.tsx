import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { useEffect } from "preact/hooks";
import { type Answer, call, refusalOf } from "../api/client.ts";
import { useDocument } from "../api/document.ts";
import { emptyDraft } from "../play/draft.ts";
import { speechSchema } from "../play/media.ts";
import { pricesOf } from "../play/prices.ts";
import { inputsOf, type Param, paramsOf, type Schema } from "../play/schema-form.ts";
import { useParams } from "../state/url.ts";
import { Awaited, together } from "../ui/awaited.tsx";
import { Json } from "../ui/json.tsx";
import { Copy, Facts, Head, Id } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import { Tabs } from "../ui/tabs.tsx";

type Model = Answer<"/api/v1/ai/models/{modelId}">;

/** One model: what it costs, what it takes, and how it is called. */
export default function ModelPage() {
  const [{ model: modelId = "" }] = useParams();
  const path = { modelId };
  const model = useQuery({
    queryKey: ["model", modelId],
    queryFn: ({ signal }) => call("get", "/api/v1/ai/models/{modelId}", { path, signal }),
  });
  const schema = useQuery({
    queryKey: ["schema", modelId],
    queryFn: ({ signal }) => call("get", "/api/v1/ai/schemas/{modelId}", { path, signal }),
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
      <Awaited what="the model" of={together([model, schema])}>
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
      title: "What it takes",
      body: one.outputModalities.includes("audio") ? (
        <SpeechTakes of={modelId} />
      ) : (
        <Takes of={schema as Schema} />
      ),
    },
    schema: { title: "JSON Schema", body: <Json value={schema} label="The JSON Schema" /> },
    types: { title: "TypeScript", body: <Types of={modelId} /> },
    ...(one.outputModalities.includes("text") && {
      calls: { title: "Calls", body: <Calls of={modelId} /> },
    }),
  };
  return (
    <>
      <Facts
        of={[
          ["Takes", one.inputModalities.join(", ")],
          ["Makes", one.outputModalities.join(", ")],
          ["Revision", String(one.revision)],
        ]}
      />
      <Prices of={one} />
      <Tabs of={tabs} open={params.tab} onOpen={(tab) => set({ tab })} />
    </>
  );
}

function Prices({ of: { pricing } }: { of: Model }) {
  const rows = pricesOf(pricing);
  if (rows.length === 0) return <p>It has no price.</p>;
  return (
    <Table
      caption="Prices"
      rows={rows}
      keyOf={({ when }) => when}
      columns={[
        { title: "For", cell: ({ when }) => when },
        { title: "Price", cell: ({ text }) => text },
      ]}
    />
  );
}

function SpeechTakes({ of: modelId }: { of: string }) {
  return (
    <Awaited what="the parameters" of={useDocument()}>
      {(document) => <Takes of={speechSchema(document, modelId) ?? {}} />}
    </Awaited>
  );
}

/** What a parameter may be, in the words of the schema or by its values and bounds. */
function allowed({ kind, about, values, min, max }: Param): string {
  if (kind === "refused") return "not taken";
  if (about !== undefined) return about;
  if (values.length > 0) return values.join(", ");
  if (min !== undefined && max !== undefined) return `from ${min} to ${max}`;
  if (min !== undefined) return `at least ${min}`;
  if (max !== undefined) return `at most ${max}`;
  return kind === "flag" ? "true or false" : "anything";
}

function Takes({ of: schema }: { of: Schema }) {
  const params = paramsOf(schema, ["content"]);
  const inputs = inputsOf(schema);
  if (params.length + inputs.length === 0) return <p>Nothing is ruled out: it has no bounds of its own.</p>;
  return (
    <>
      <Table
        caption="Parameters"
        rows={params}
        keyOf={({ name }) => name}
        columns={[
          { title: "Parameter", cell: ({ name }) => <code>{name}</code> },
          { title: "Kind", cell: ({ kind, isWhole }) => (isWhole ? "whole number" : kind) },
          {
            title: "Allowed",
            cell: allowed,
          },
          { title: "Default", cell: ({ preset }) => (preset === undefined ? "–" : String(preset)) },
        ]}
      />
      <ul>
        {inputs.map(({ kind, roles, mediaTypes }) => (
          <li key={kind}>
            {kind}: {mediaTypes.join(", ")}
            {roles.length > 0 && ` as ${roles.join(", ")}`}
          </li>
        ))}
      </ul>
    </>
  );
}

function Types({ of: modelId }: { of: string }) {
  const types = useQuery({
    queryKey: ["types", modelId],
    queryFn: async ({ signal }) => {
      const path = modelId.split("/").map(encodeURIComponent).join("/");
      const response = await fetch(`/api/v1/ai/schemas/${path}?as=typescript`, { signal });
      if (!response.ok) throw await refusalOf(response, "/api/v1/ai/schemas/{modelId}");
      return response.text();
    },
  });
  return (
    <Awaited what="the types" of={types}>
      {(text) => (
        <>
          <Copy text={text} />
          <pre class="answer">{text}</pre>
        </>
      )}
    </Awaited>
  );
}

interface Call {
  title: string;
  line: string;
}

/** The same call in every protocol, as the codecs write it. */
function Calls({ of: model }: { of: string }) {
  const calls = useSignal<Call[]>([]);
  useEffect(() => {
    void import("../play/protocols.ts").then(({ SPOKEN, encode }) => {
      calls.value = Object.entries(SPOKEN).map(([name, { name: title, path }]) => {
        const { body } = encode({ ...emptyDraft, model }, name as keyof typeof SPOKEN);
        const quoted = JSON.stringify(body).replaceAll("'", "'\\''");
        const line = `curl '${location.origin}${path(model)}' \\\n  -H "x-api-key: $MANIFOLD_KEY" -H 'content-type: application/json' \\\n  -d '${quoted}'`;
        return { title, line };
      });
    });
  }, [model]);
  return (
    <>
      {calls.value.map(({ title, line }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <Copy text={line} label={`Copy ${title}`} />
          <pre class="answer">{line}</pre>
        </section>
      ))}
    </>
  );
}
