import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { useEffect, useRef } from "preact/hooks";
import { lazy } from "preact-iso";
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
import { type Attached, type Mode, ORDERS, order, REFERENCE } from "./media.ts";
import { bodyOfForm, formOfBody, type MediaForm } from "./media-form.ts";
import type { Model } from "./model-rows.tsx";
import { Refusal } from "./refusal.tsx";
import { inputsOf, paramsOf, type Schema } from "./schema-form.ts";
import { Strip } from "./strip.tsx";
import { takerOf } from "./takers.ts";

/** What each mode is called, and what its models make. */
export const MODES = {
  image: { title: "Image", makes: "image", text: "Prompt", say: "A lighthouse at dusk." },
  video: { title: "Video", makes: "video", text: "Prompt", say: "A paper boat on a stream." },
  speech: { title: "Speech", makes: "audio", text: "Text", say: "Hello, it is good to meet you." },
  embedding: { title: "Embedding", makes: "embedding", text: "Text", say: "A paper boat on a stream." },
} as const satisfies Record<Mode, object>;

/** Models without a voice of the catalog speak while their caller waits. */
const Speak = lazy(() => import("../media/speak.tsx"));

/** The capabilities that the parameters of a mode are listed under. */
const AREAS = {
  image: "image",
  video: "video",
  speech: "speech",
  embedding: "embed",
} as const satisfies Record<Mode, string>;

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

interface OrderProps {
  mode: Mode;
  models: readonly Model[];
  /** A request that is opened to be sent again. */
  sent?: Readonly<Record<string, unknown>> | undefined;
}

/** One order: the form of its model, what it would come to, and the jobs that were made of it. */
export function Order({ mode, models, sent }: OrderProps) {
  const [params, set] = useParams();
  const first = { text: params.text ?? MODES[mode].say, filled: {}, attached: [], rest: {} };
  const form = useSignal<MediaForm>({ ...first, voice: params.voice ?? String(sent?.voiceType ?? "") });
  const jobs = useSignal<string[]>([]);
  const change = (more: Partial<MediaForm>): void => {
    form.value = { ...form.value, ...more };
  };
  // What a job made can become the input of the next, on this page too.
  useEffect(() => {
    change({ attached: [...form.value.attached, ...assetsOf(params)] });
  }, [params.image, params.video]);
  const voices = useQuery({
    queryKey: ["voices"],
    enabled: mode === "speech",
    queryFn: ({ signal }) => call("get", "/api/v1/audio/voices", { signal }),
  });
  const all = voices.data?.voices ?? [];
  // A voice that is asked for names its model.
  const needed = all.find(({ voiceType }) => voiceType === (params.voice ?? sent?.voiceType))?.resourceId;
  const ids = models.map(({ modelId }) => modelId);
  const model = ids.find((id) => id === (params.model ?? sent?.model ?? needed)) ?? (ids[0] as string);
  const { schema, query } = useSchema(mode, model);
  const fields = schema ? paramsOf(schema, DEDICATED_FIELDS) : [];
  const opened = useRef<OrderProps["sent"]>(undefined);
  useEffect(() => {
    // Once: another model has another schema, and what was changed since stays.
    if (!sent || !schema || opened.current === sent) return;
    opened.current = sent;
    form.value = formOfBody({ fields }, sent);
  }, [sent, schema]);
  if (!schema) return query && <Awaited label="the form of the model" of={query} />;
  const isReference = model === REFERENCE;
  const isOrdered =
    mode !== "speech" || isReference || !voices.data || all.some(({ resourceId }) => resourceId === model);
  if (!isOrdered) return <Speak models={models} sent={sent} />;
  const spoken = all.filter(({ resourceId }) => resourceId === model);
  const voice = spoken.find(({ voiceType }) => voiceType === form.value.voice) ?? spoken[0];
  const path =
    mode === "speech"
      ? ORDERS[isReference ? "reference" : "reading"]
      : ORDERS[mode === "video" ? mode : "image"];
  const filledForm = { ...form.value, voice: voice?.voiceType ?? form.value.voice };
  const asText = JSON.stringify(bodyOfForm({ mode, model, fields }, filledForm));
  const others = Object.keys(form.value.rest);
  return (
    <div class="play orders">
      <div class="draft">
        <Choice title="Model" values={ids} value={model} onChoose={(next) => set({ model: next })} />
        {mode === "speech" && !isReference && <Awaited label="voices" of={voices} />}
        {mode === "speech" && !isReference && (
          <Choice
            title="Voice"
            values={spoken.map(({ voiceType }) => voiceType)}
            value={filledForm.voice}
            onChoose={(next) => change({ voice: next })}
          />
        )}
        <label class="stack">
          {MODES[mode].text}
          <textarea
            rows={3}
            data-filter
            value={form.value.text}
            onInput={(event) => change({ text: event.currentTarget.value })}
          />
        </label>
        {inputsOf(schema).map((input) => (
          <DropZone
            key={input.kind}
            of={input}
            attached={form.value.attached}
            onChange={(attached) => change({ attached })}
          />
        ))}
        <SchemaForm
          params={fields}
          filled={form.value.filled}
          refusal={(name) => (
            <Refusal
              by={[model]}
              taker={takerOf(models, { area: AREAS[mode], name, besides: [model] })}
              onUse={(taker) => set({ model: taker })}
            />
          )}
          onFill={(name, value) => change({ filled: { ...form.value.filled, [name]: value } })}
        />
        {others.length > 0 && (
          <p class="faint">
            Sent along as it was: <code>{others.join(", ")}</code>{" "}
            <button type="button" class="quiet" onClick={() => change({ rest: {} })}>
              Leave out
            </button>
          </p>
        )}
        {mode === "embedding" ? (
          <Embedding model={model} text={form.value.text} />
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
      <div class="jobs">
        {jobs.value.map((id) => (
          <JobCard key={id} id={id} />
        ))}
      </div>
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
