import type { TextRequest } from "@manifold-gateway/core";
import { efforts, type ParamName, type ReasoningAsk } from "@manifold-gateway/core/ir";
import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { sameJson } from "../codecs/differences.ts";
import { WIRES } from "../codecs/wires.ts";
import { SchemaForm } from "../ui/schema-form.tsx";
import { Select } from "../ui/select.tsx";
import { changeDraft, changeRequest, draft, panes, setFieldFault } from "./desk.ts";
import type { Model } from "./model-rows.tsx";
import { paneState } from "./pane-state.ts";
import { Refusal } from "./refusal.tsx";
import { type Filled, paramsOf, type Schema } from "./schema-form.ts";
import { takerOf } from "./takers.ts";
import { COMMON, paramText, paramValue, textParams } from "./text-params.ts";
import { withMember } from "./tool-fields.tsx";

const schemaOf = (modelId: string, signal: AbortSignal): Promise<Schema> =>
  call("get", "/api/v1/ai/schemas/{modelId}", {
    path: { modelId },
    query: { operation: "text" },
    signal,
  }).then(
    (schema) => schema as Schema,
    // A model that is not known is refused when it is called; its form has all fields.
    () => ({}),
  );

/** The parameters of a request, with the bounds of the models that it is for. */
export function Parameters({ of: request, models }: { of: TextRequest; models: readonly Model[] }) {
  const ids = [...new Set(draft.value?.models.map(({ model }) => model) ?? [])];
  const schemas = useQuery({
    queryKey: ["schemas", ...ids],
    queryFn: ({ signal }) => Promise.all(ids.map((id) => schemaOf(id, signal))),
  });
  const typed = useSignal<Filled>({});
  const faults = useSignal<Filled>({});
  const [first = {}, ...others] = schemas.data ?? [];
  const refusing = (name: string): string[] =>
    ids.filter((_, at) =>
      paramsOf((schemas.data ?? [])[at] ?? {}).some(
        (param) => param.name === name && param.kind === "refused",
      ),
    );
  const params = textParams(first).map((param) =>
    param.kind === "refused" && refusing(param.name).length < others.length + 1
      ? { ...param, kind: "number" as const }
      : param,
  );
  const { params: values } = request;
  const filled = Object.fromEntries(params.map(({ name }) => [name, textOf(name)]));
  function textOf(name: ParamName): string {
    const text = typed.value[name];
    try {
      if (text !== undefined && (faults.value[name] || sameJson(paramValue(name, text), values[name])))
        return text;
    } catch {}
    return paramText(values, name);
  }
  const fill = (name: string, text: string): void => {
    const title = params.find((param) => param.name === name)?.title ?? name;
    typed.value = { ...typed.value, [name]: text };
    let fault: string | undefined;
    try {
      const value = paramValue(name as ParamName, text);
      changeRequest((before) => {
        const { [name as ParamName]: _, ...rest } = before.params;
        return { ...before, params: value === undefined ? rest : { ...rest, [name]: value } };
      });
    } catch (error) {
      fault = error instanceof SyntaxError ? `This is no JSON: ${error.message}` : (error as Error).message;
    }
    faults.value = { ...faults.value, [name]: fault };
    setFieldFault(title, fault);
  };
  const refusal = (name: string) => {
    const by = refusing(name);
    return <Refusal by={by} taker={takerOf(models, { area: "text", name, besides: by })} onUse={switchTo} />;
  };
  const notes = Object.fromEntries(
    params.flatMap(({ name }) => {
      const notes = [...unsayable(name), ...refusing(name).map((id) => `not taken by ${id}`)];
      return notes.length > 0 ? [[name, <span class="warn">{notes.join(", ")}</span>]] : [];
    }),
  );
  const form = { filled, onFill: fill, refusal, notes, faults: faults.value };
  const later = params.slice(COMMON);
  const isSet = later.some(({ name }) => values[name] !== undefined);
  return (
    <>
      <SchemaForm params={params.slice(0, COMMON)} {...form} />
      <Reasoning of={request} />
      <details {...(isSet && { open: true })}>
        <summary>More parameters</summary>
        <SchemaForm params={later} {...form} />
        <Select
          label="Answer"
          value={request.stream ? "stream" : "whole"}
          options={[
            { value: "stream", text: "as it is generated" },
            { value: "whole", text: "whole, at its end" },
          ]}
          onChange={(value) => changeRequest((before) => ({ ...before, stream: value === "stream" }))}
        />
      </details>
    </>
  );
}

/** The protocols of the draft that have no word for a parameter that is set. */
const unsayable = (name: string): string[] =>
  [
    ...new Set(
      panes.value.flatMap(({ id, protocol }) => {
        const losses = paneState(id).body.value?.losses ?? [];
        return losses.some(({ path, why }) => path === `/params/${name}` && why === "unsupported")
          ? [WIRES[protocol].title]
          : [];
      }),
    ),
  ].map((title) => `not in ${title}`);

/** Makes the first model of the draft another one. */
const switchTo = (model: string): void =>
  changeDraft((before) => ({
    ...before,
    models: before.models.map((one, at) => (at === 0 ? { ...one, model } : one)),
  }));

/** How much a model should think. */
function Reasoning({ of: { reasoning = {} } }: { of: TextRequest }) {
  const set = (more: ReasoningAsk): void =>
    changeRequest((request) => {
      const all = Object.entries({ ...request.reasoning, ...more }).filter(
        ([, value]) => value !== undefined,
      );
      return withMember(request, "reasoning", all.length > 0 ? Object.fromEntries(all) : undefined);
    });
  const { mode, effort } = reasoning;
  return (
    <Select
      label="Reasoning"
      value={mode === "off" ? "off" : (effort ?? mode ?? "")}
      options={[
        { value: "", text: "not set" },
        { value: "off", text: "off" },
        ...efforts.map((value) => ({ value, text: value, note: "effort" })),
        ...(mode !== undefined && mode !== "off" && effort === undefined
          ? [{ value: mode, text: mode }]
          : []),
      ]}
      onChange={(value) =>
        set(
          value === "off"
            ? ({ mode: "off", effort: undefined, budget: undefined } as ReasoningAsk)
            : ({ mode: undefined, effort: value === "" ? undefined : value } as ReasoningAsk),
        )
      }
    />
  );
}
