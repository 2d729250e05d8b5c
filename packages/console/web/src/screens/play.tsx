import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { useEffect } from "preact/hooks";
import { type Answer, call } from "../api/client.ts";
import { type Draft, keepDraft, keptDraft } from "../play/draft.ts";
import { DraftForm } from "../play/draft-form.tsx";
import { explain } from "../play/explain.ts";
import { Pane } from "../play/pane.tsx";
import type { ProtocolName, Spoken } from "../play/protocols.ts";
import type { Run } from "../play/send.ts";
import { Strip } from "../play/strip.tsx";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Head, Loading } from "../ui/parts.tsx";

type Model = Answer<"/api/v1/ai/models">[number];
type Spokens = Record<ProtocolName, Spoken>;
const FIRST: ProtocolName[] = ["chat", "messages", "generate"];

/** The same request in several protocols at once: the exact bodies, the answers as they come, and what they cost. */
export default function Play() {
  const spoken = useSignal<Spokens | undefined>(undefined);
  const models = useQuery({
    queryKey: ["models"],
    queryFn: ({ signal }) => call("get", "/api/v1/ai/models", { signal }),
  });
  useEffect(() => {
    void import("../play/protocols.ts").then(({ SPOKEN }) => {
      spoken.value = SPOKEN;
    });
  }, []);
  return (
    <>
      <Head
        title="Playground"
        about="Send one request in several protocols and compare requests, replies and losses. The account pays, at most $1 a day."
      >
        <a class="button" href="/console/media">
          Images, video, speech
        </a>
      </Head>
      <Awaited label="models" of={models}>
        {(data) =>
          spoken.value ? (
            <Playground models={data} spoken={spoken.value} />
          ) : (
            <Loading label="the protocols" />
          )
        }
      </Awaited>
    </>
  );
}

function Playground({ models, spoken }: { models: readonly Model[]; spoken: Spokens }) {
  const [params] = useParams();
  const draft = useSignal<Draft>(keptDraft());
  const shown = useSignal<ProtocolName[]>(FIRST);
  const edits = useSignal<{ [name in ProtocolName]?: string }>({});
  const runs = useSignal<{ [name in ProtocolName]?: Run }>({});
  const stop = useSignal<AbortController | undefined>(undefined);
  const texts = models.filter(({ outputModalities }) => outputModalities.includes("text"));
  const change = (more: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...more };
    keepDraft(draft.value);
  };
  useEffect(() => {
    const known = texts.map(({ modelId }) => modelId);
    const wished = params.model ?? draft.value.model;
    const model = known.includes(wished) ? wished : known[0];
    if (model !== undefined && model !== draft.value.model) change({ model });
  }, [models, params.model]);

  const sendAll = async (): Promise<void> => {
    const control = new AbortController();
    stop.value = control;
    const [{ encode }, { send }] = await Promise.all([
      import("../play/protocols.ts"),
      import("../play/send.ts"),
    ]);
    await Promise.all(
      shown.value.map((name) => {
        const text = edits.value[name];
        const onChange = (run: Run): void => {
          runs.value = { ...runs.value, [name]: run };
        };
        const body = text === undefined ? encode(draft.value, name).body : parsed(text, name, onChange);
        if (body === undefined) return undefined;
        return send(name, { body, model: draft.value.model, signal: control.signal }, onChange);
      }),
    );
    stop.value = undefined;
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Escape") stop.value?.abort();
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void sendAll();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl-Enter sends and Escape stops from every field
    <div class="play" onKeyDown={press}>
      <div class="draft">
        <DraftForm draft={draft.value} change={change} models={texts} />
        <fieldset>
          <legend>Protocols</legend>
          {(Object.keys(spoken) as ProtocolName[]).map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={shown.value.includes(name)}
                onChange={(event) => {
                  shown.value = event.currentTarget.checked
                    ? [...shown.value, name]
                    : shown.value.filter((one) => one !== name);
                }}
              />
              {spoken[name].name}
            </label>
          ))}
        </fieldset>
        <Strip of={draft.value} ask={(signal) => explain(draft.value, signal)} />
        <div class="acts">
          <button type="button" class="main" onClick={() => void sendAll()}>
            Send {shown.value.length > 1 ? `all ${shown.value.length}` : ""}
          </button>
          {stop.value && (
            <button type="button" onClick={() => stop.value?.abort()}>
              Stop
            </button>
          )}
          <span class="faint">Ctrl-Enter sends, Esc stops</span>
        </div>
      </div>
      <div class="panes">
        {shown.value.map((name) => (
          <Pane
            key={name}
            name={name}
            title={spoken[name].name}
            path={spoken[name].path(draft.value.model)}
            draft={draft.value}
            edited={edits.value[name]}
            onEdit={(text) => {
              edits.value = { ...edits.value, [name]: text };
            }}
            run={runs.value[name]}
          />
        ))}
      </div>
    </div>
  );
}

/** The body that was typed, or nothing where it is no JSON, which the pane then says. */
function parsed(text: string, name: string, onChange: (run: Run) => void): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const fault = `The body of ${name} is no JSON: ${(error as Error).message}`;
    onChange({ state: "failed", fault, text: "", reasoning: "", headers: {}, times: [] });
    return undefined;
  }
}
