import type { Answer } from "../api/client.ts";
import { WIRE_NAMES, WIRES, type WireName } from "../codecs/wires.ts";
import { Icon } from "../ui/icons.tsx";
import { Select } from "../ui/select.tsx";
import { changeDraft, draft } from "./desk.ts";
import {
  type ComparedModel,
  MOST_MODELS,
  MOST_PANES,
  panesOf,
  withModel,
  withModelChanged,
  withoutModel,
} from "./draft.ts";

export type Model = Answer<"/api/v1/ai/models">[number];

/** The models that a draft is sent to, each with its protocols. */
export function ModelRows({ models }: { models: readonly Model[] }) {
  const current = draft.value;
  if (!current) return null;
  const known = models.map(({ modelId }) => modelId);
  const isFull =
    current.models.length >= Math.min(MOST_MODELS, known.length) || panesOf(current).length >= MOST_PANES;
  return (
    <section class="models" aria-label="Models">
      {current.models.map((one) => (
        <ModelRow key={one.id} of={one} models={models} isAlone={current.models.length === 1} />
      ))}
      <button
        type="button"
        class="quiet"
        disabled={isFull}
        title={isFull ? `At most ${MOST_MODELS} models, and ${MOST_PANES} requests at a time.` : undefined}
        onClick={() => changeDraft((before) => withModel(before, known))}
      >
        <Icon name="plus" /> Compare
      </button>
    </section>
  );
}

interface ModelRowProps {
  of: ComparedModel;
  models: readonly Model[];
  isAlone: boolean;
}

function ModelRow({ of: one, models, isAlone }: ModelRowProps) {
  const isFull = draft.value !== undefined && panesOf(draft.value).length >= MOST_PANES;
  const others = draft.value?.models.flatMap(({ id, model }) => (id === one.id ? [] : [model])) ?? [];
  const options = models
    .filter(({ modelId }) => !others.includes(modelId))
    .map(({ modelId, name }) => ({ value: modelId, text: modelId, note: name }));
  const toggle = (name: WireName): void => {
    const protocols = one.protocols.includes(name)
      ? one.protocols.filter((other) => other !== name)
      : WIRE_NAMES.filter((other) => other === name || one.protocols.includes(other));
    changeDraft((before) => withModelChanged(before, one.id, { protocols }));
  };
  return (
    <div class="model-row">
      <div class="line">
        <Select
          label="Model"
          hidesLabel
          takesTyped
          value={one.model}
          options={options}
          onChange={(model) => changeDraft((before) => withModelChanged(before, one.id, { model }))}
        />
        {!isAlone && (
          <button
            type="button"
            class="bare"
            aria-label={`Remove ${one.model}`}
            onClick={() => changeDraft((before) => withoutModel(before, one.id))}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
      <fieldset class="toggles">
        <legend class="hidden">Protocols of {one.model}</legend>
        {WIRE_NAMES.map((name) => {
          const isOn = one.protocols.includes(name);
          return (
            <button
              key={name}
              type="button"
              aria-pressed={isOn}
              disabled={!isOn && isFull}
              onClick={() => toggle(name)}
            >
              {WIRES[name].title}
            </button>
          );
        })}
      </fieldset>
    </div>
  );
}
