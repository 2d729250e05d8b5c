import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { useEffect } from "preact/hooks";
import { call } from "../api/client.ts";
import { codecs } from "../codecs/codecs.ts";
import { isWireName } from "../codecs/wires.ts";
import { type Explanation, explainAt } from "../play/explain.ts";
import { OpenBody } from "../play/open-body.tsx";
import { readPaste } from "../play/paste.ts";
import { EXPLAINED, type SurfaceName, surfaceOf } from "../play/surfaces.ts";
import { surfaceOfKept } from "../request/again.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Explained } from "../ui/explained.tsx";
import { Form } from "../ui/form.tsx";
import { Head } from "../ui/parts.tsx";
import { Select } from "../ui/select.tsx";

const FIRST = JSON.stringify({ messages: [{ role: "user", content: "Hello" }], seed: 7 }, null, 2);

/** The body as the first provider's protocol has it, by the codecs of the playground. */
async function upstreamOf(
  { route }: Explanation,
  surface: SurfaceName,
  body: Record<string, unknown>,
  model: string,
): Promise<unknown> {
  const to = route?.candidates[0]?.protocol;
  if (to === undefined || !isWireName(surface)) return undefined;
  const stream = surface === "native" || body.stream === true;
  return (await codecs("translated", body, { from: surface, to, model, stream }))?.body;
}

function namesModel(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as { model?: unknown } | null)?.model === "string";
  } catch {
    return false;
  }
}

/** What would become of a body, without sending it. */
export default function Explain() {
  const [params] = useParams();
  const surface = useSignal<SurfaceName>("chat");
  const model = useSignal(params.model ?? "");
  const text = useSignal(FIRST);
  const result = useSignal<{ of: Explanation; body: unknown; upstream: unknown } | undefined>(undefined);
  const models = useQuery({
    queryKey: ["models"],
    queryFn: ({ signal }) => call("get", "/api/v1/ai/models", { signal }),
  });
  const { request } = params;
  useEffect(() => {
    if (request === undefined) return;
    const path = { generationId: request };
    call("get", "/api/compat/v1/usage/{generationId}", { path }).then(
      (one) => {
        const kept = surfaceOfKept(one);
        if (kept === undefined || !one.request) return;
        surface.value = kept;
        text.value = JSON.stringify(one.request, null, 2);
      },
      () => {},
    );
  }, [request, surface, text]);
  const paste = (pasted: string): void => {
    const { body, path } = readPaste(pasted);
    const found = path === undefined ? undefined : surfaceOf(path);
    text.value = body;
    if (found) surface.value = found.surface;
    if (found?.model !== undefined) model.value = found.model;
    else if (namesModel(body)) model.value = "";
  };
  // The example names no model.
  const first = models.data?.find(({ outputModalities: made }) => made.includes("text"))?.modelId;
  useEffect(() => {
    if (first !== undefined && model.value === "" && text.value === FIRST) model.value = first;
  }, [first]);
  const ask = async (): Promise<void> => {
    const { path, payer } = EXPLAINED[surface.value];
    let body: Record<string, unknown>;
    try {
      body = JSON.parse(text.value) as Record<string, unknown>;
    } catch (error) {
      throw new Error(`The body is no JSON: ${(error as Error).message}`);
    }
    const name = model.value || String(body.model ?? "");
    // A reading names a voice, and generate-content has the model in its path.
    const isNamed = surface.value !== "generate" && surface.value !== "reading";
    const sent = isNamed ? { ...body, model: name } : body;
    const { signal } = new AbortController();
    const of = await explainAt(path(name), JSON.stringify(sent), { payer, signal });
    result.value = { of, body: sent, upstream: await upstreamOf(of, surface.value, sent, name) };
  };
  return (
    <>
      <Head
        title="Explain"
        about="A dry run of a request: routing, losses and cost. Nothing is sent, held or charged."
      />
      <Awaited label="models" of={models} />
      <div class="draft">
        <Form act="Explain" onSubmit={ask}>
          <div class="acts">
            <Select
              label="Surface"
              value={surface.value}
              options={Object.entries(EXPLAINED).map(([value, { title }]) => ({ value, text: title }))}
              onChange={(value) => {
                surface.value = value as SurfaceName;
              }}
            />
            <Select
              label="Model"
              value={model.value}
              options={[
                { value: "", text: "the body’s own" },
                ...(models.data ?? []).map(({ modelId }) => ({ value: modelId, text: modelId })),
              ]}
              onChange={(value) => {
                model.value = value;
              }}
            />
          </div>
          <label class="stack">
            Body, or a whole curl line
            <textarea
              rows={12}
              data-filter
              class="code"
              spellcheck={false}
              value={text.value}
              onInput={(event) => paste(event.currentTarget.value)}
            />
          </label>
        </Form>
      </div>
      {result.value && (
        <Explained
          {...result.value}
          acts={
            isWireName(surface.value) && (
              <OpenBody body={result.value.body} protocol={surface.value} model={model.value} />
            )
          }
        />
      )}
    </>
  );
}
