import type { Signal } from "@preact/signals";
import { Refusal } from "../play/refusal.tsx";
import { type AreaName, takerOf, takes } from "../play/takers.ts";
import { useParams } from "../state/url.ts";
import { Field, typedInto } from "../ui/form.tsx";
import type { PaneModel } from "./models.tsx";

/** A parameter of a model. */
export interface ParamOf {
  of: PaneModel;
  area: AreaName;
  name: string;
  title: string;
}

/** A parameter that the model does not take, and a model that takes it. */
export function Refused({ of: { id, models }, area, name, title }: ParamOf) {
  const [, set] = useParams();
  return (
    <div class="field refused">
      <b>{title}</b>
      <p class="hint">
        <Refusal
          by={[id]}
          taker={takerOf(models, { area, name, besides: [id] })}
          onUse={(model) => set({ model })}
        />
      </p>
    </div>
  );
}

interface ParamFieldProps extends ParamOf {
  text: Signal<string>;
  placeholder: string;
  type?: "number";
  min?: string;
  step?: string;
}

/** A field for a parameter, if the model takes it. */
export function ParamField({ of, area, name, title, text, ...input }: ParamFieldProps) {
  if (!takes(of.capabilities, area, name)) return <Refused {...{ of, area, name, title }} />;
  return <Field label={title} {...input} {...typedInto(text)} />;
}
