import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { useEffect } from "preact/hooks";
import { call } from "../api/client.ts";
import { useParams } from "../state/url.ts";
import { Awaited, type QueryState } from "../ui/awaited.tsx";
import { DropZone } from "../ui/drop-zone.tsx";
import { Form } from "../ui/form.tsx";
import { JobCard } from "../ui/job-card.tsx";
import { SchemaForm } from "../ui/schema-form.tsx";
import { Select } from "../ui/select.tsx";
import { Embedding } from "./embedding.tsx";
import { explainAt } from "./explain.ts";
import { type Attached, type Mode, ORDERS, order, REFERENCE, toContent } from "./media.ts";
import { type Filled, inputsOf, paramsOf, type Schema, toBody } from "./schema-form.ts";
import { Strip } from "./strip.tsx";

/** What each mode is called, and what its models make. */
export const MODES = {
  image: { title: "Image", makes: "image", text: "Prompt", say: "A lighthouse at dusk." },
  video: { title: "Video", makes: "video", text: "Prompt", say: "A paper boat on a stream." },
  speech: { title: "Speech", makes: "audio", text: "Text", say: "Hello, it is good to meet you." },
  embedding: { title: "Embedding", makes: "embedding", text: "Text", say: "A paper boat on a stream." },
} as const satisfies Record<Mode, object>;

/** Members that the form asks for by fields of its own. */
const DEDICATED_FIELDS = ["content", "model", "text", "textPrompt", "voiceType"];

const assetsOf = (params: Record<string, string>): Attached[] =>
  (["image", "video"] as const).flatMap((kind) =>
    params[kind] === undefined
      ? []
      : [{ kind, name: params[kind], facts: "an asset", assetId: params[kind] }],
  );

/** The schema that a model's form is made of; an embedding has no parameters here. */
function useSchema(mode: Mode, model: string): { schema: Schema | undefined; query?: QueryState<unknown> } {
  const schemaQuery = useQuery({
    queryKey: ["schema", model],
    enabled: mode !== "embedding",
    queryFn: ({ signal }) =>
      call("get", "/api/v1/ai/schemas/{modelId}", { path: { modelId: model }, signal }),
  });
  if (mode === "embedding") return { schema: {} };
  return { schema: schemaQuery.data as Schema | undefined, query: schemaQuery };
}

/** One order: the form of its model, what it would come to, and the jobs that were made of it. */
export function Order({ mode, models }: { mode: Mode; models: string[] }) {
  const [params, set] = useParams();
  const text = useSignal(params.text ?? MODES[mode].say);
  const filled = useSignal<Filled>({});
  const attached = useSignal<Attached[]>([]);
  const jobs = useSignal<string[]>([]);
  // What a job made can become the input of the next, on this page too.
  useEffect(() => {
    attached.value = [...attached.value, ...assetsOf(params)];
  }, [params.image, params.video]);
  const voice = useSignal(params.voice ?? "");
  const voices = useQuery({
    queryKey: ["voices"],
    enabled: mode === "speech",
    queryFn: ({ signal }) => call("get", "/api/v1/audio/voices", { signal }),
  });
  // A voice that is asked for names its model.
  const needed = voices.data?.voices.find(({ voiceType }) => voiceType === params.voice)?.resourceId;
  const model = models.find((id) => id === (params.model ?? needed)) ?? (models[0] as string);
  const { schema, query } = useSchema(mode, model);
  if (!schema) return query && <Awaited label="the form of the model" of={query} />;
  const fields = paramsOf(schema, DEDICATED_FIELDS);
  const inputs = inputsOf(schema);
  const filledBody = toBody(fields, filled.value);
  const isReference = model === REFERENCE;
  const spoken = (voices.data?.voices ?? []).filter(({ resourceId }) => resourceId === model);
  const chosen = spoken.find(({ voiceType }) => voiceType === voice.value) ?? spoken[0];
  const path =
    mode === "speech"
      ? ORDERS[isReference ? "reference" : "reading"]
      : ORDERS[mode === "video" ? mode : "image"];
  const body = {
    ...(mode !== "speech"
      ? { model, content: toContent(text.value, attached.value) }
      : isReference
        ? { model, textPrompt: text.value }
        : { voiceType: chosen?.voiceType, text: text.value }),
    ...filledBody,
  };
  const asText = JSON.stringify(body);
  return (
    <div class="play">
      <div class="draft">
        <Choice title="Model" values={models} value={model} onChoose={(next) => set({ model: next })} />
        {mode === "speech" && !isReference && <Awaited label="voices" of={voices} />}
        {mode === "speech" && !isReference && (
          <Choice
            title="Voice"
            values={spoken.map(({ voiceType }) => voiceType)}
            value={chosen?.voiceType ?? ""}
            onChoose={(next) => {
              voice.value = next;
            }}
          />
        )}
        <label class="stack">
          {MODES[mode].text}
          <textarea
            rows={3}
            data-filter
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
        </label>
        {inputs.map((input) => (
          <DropZone
            key={input.kind}
            of={input}
            attached={attached.value}
            onChange={(next) => {
              attached.value = next;
            }}
          />
        ))}
        <SchemaForm
          params={fields}
          filled={filled.value}
          onFill={(name, value) => {
            filled.value = { ...filled.value, [name]: value };
          }}
        />
        {mode === "embedding" ? (
          <Embedding model={model} text={text.value} />
        ) : (
          <>
            <Strip of={asText} ask={(signal) => explainAt(path, asText, { payer: "account", signal })} />
            <Form
              act="Order"
              onSubmit={async () => {
                const id = await order(path, asText);
                jobs.value = [id, ...jobs.value];
              }}
            >
              <span class="faint">
                The request is charged when the job ends. The line above shows the amount held.
              </span>
            </Form>
          </>
        )}
      </div>
      {jobs.value.map((id) => (
        <JobCard key={id} id={id} />
      ))}
    </div>
  );
}

interface ChoiceProps {
  title: string;
  values: string[];
  value: string;
  onChoose: (value: string) => void;
}

const Choice = ({ title, values, value, onChoose }: ChoiceProps) => (
  <Select
    label={title}
    value={value}
    options={values.map((one) => ({ value: one, text: one }))}
    onChange={onChoose}
  />
);
