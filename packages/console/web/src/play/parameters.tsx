import type { TextRequest } from "@manifold-gateway/core";
import type { ParamName } from "@manifold-gateway/core/ir";
import { useSignal } from "@preact/signals";
import { sameJson } from "../codecs/differences.ts";
import { WIRES } from "../codecs/wires.ts";
import { SchemaForm } from "../ui/schema-form.tsx";
import { Select } from "../ui/select.tsx";
import { changeRequest, panes, setFieldFault } from "./desk.ts";
import { paneState } from "./pane-state.ts";
import { ReasoningField } from "./reasoning-field.tsx";
import type { Filled } from "./schema-form.ts";
import { COMMON, paramText, paramValue, textParams } from "./text-params.ts";
import { TextRefusal } from "./text-refusal.tsx";
import { useTextSchemas } from "./text-schemas.ts";

/** The parameters of a request, with the bounds of the models that it is for. */
export function Parameters({ of: request }: { of: TextRequest }) {
  const typed = useSignal<Filled>({});
  const faults = useSignal<Filled>({});
  const { first, refusing, isRefused } = useTextSchemas();
  const unbounded = textParams({});
  const params = textParams(first).map((param, at) => {
    if (isRefused(param.name)) return { ...param, kind: "refused" as const };
    // Another of the models takes it.
    return param.kind === "refused" ? (unbounded[at] ?? param) : param;
  });
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
  const refusal = (name: string) => (
    <TextRefusal
      name={name}
      onLeaveOut={values[name as ParamName] === undefined ? undefined : () => fill(name, "")}
    />
  );
  const notes = Object.fromEntries(
    params.flatMap(({ name }) => {
      const notes = [...unsayable(name), ...refusing(name).map((id) => `not taken by ${id}`)];
      return notes.length > 0
        ? [[name, <span class={values[name] === undefined ? "" : "warn"}>{notes.join(", ")}</span>]]
        : [];
    }),
  );
  const form = { filled, onFill: fill, refusal, notes, faults: faults.value };
  const later = params.slice(COMMON);
  const set = later.filter(({ name }) => values[name] !== undefined);
  return (
    <>
      <SchemaForm params={params.slice(0, COMMON)} {...form} />
      <ReasoningField of={request} />
      <details>
        <summary>
          More parameters{" "}
          {set.length > 0 && <span class="faint">{set.map(({ title }) => title).join(", ")}</span>}
        </summary>
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
