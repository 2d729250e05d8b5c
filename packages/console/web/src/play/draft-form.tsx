import type { Answer } from "../api/client.ts";
import { Field } from "../ui/form.tsx";
import type { Draft } from "./draft.ts";

interface DraftFormProps {
  draft: Draft;
  change: (more: Partial<Draft>) => void;
  models: readonly Answer<"/api/v1/ai/models">[number][];
}

/** The fields of a draft, which no protocol owns. */
export const DraftForm = ({ draft, change, models }: DraftFormProps) => (
  <>
    <label class="stack">
      Model
      <select value={draft.model} onChange={(event) => change({ model: event.currentTarget.value })}>
        {models.map(({ modelId, name }) => (
          <option key={modelId} value={modelId}>
            {name ?? modelId}
          </option>
        ))}
      </select>
    </label>
    <label class="stack">
      System prompt
      <textarea rows={2} value={draft.system} onInput={(e) => change({ system: e.currentTarget.value })} />
    </label>
    <label class="stack">
      User message
      <textarea
        rows={3}
        data-filter
        value={draft.user}
        onInput={(event) => change({ user: event.currentTarget.value })}
      />
    </label>
    <div class="acts">
      <Field
        label="Maximum output tokens"
        type="number"
        min="1"
        placeholder="not set"
        value={draft.maxTokens}
        onInput={(maxTokens) => change({ maxTokens })}
      />
      <Field
        label="Temperature"
        type="number"
        min="0"
        step="any"
        placeholder="not set"
        value={draft.temperature}
        onInput={(temperature) => change({ temperature })}
      />
    </div>
  </>
);
