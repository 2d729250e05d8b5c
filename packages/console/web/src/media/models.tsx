import type { Model } from "../play/model-rows.tsx";
import type { Listed } from "../play/takers.ts";
import { useParams } from "../state/url.ts";
import { Select } from "../ui/select.tsx";

export interface CallProps {
  models: readonly Model[];
  /** A request that is opened to be sent again. */
  sent?: Readonly<Record<string, unknown>> | undefined;
}

/** The model of a pane, among those of its operation. */
export interface PaneModel {
  id: string;
  model: Model;
  capabilities: Listed;
  models: readonly Model[];
}

/** The model that the address names, or the first of those that there are, and its capabilities. */
export function useModel(models: readonly Model[], sent: CallProps["sent"]): PaneModel {
  const [params] = useParams();
  const named = params.model ?? sent?.model;
  const model = models.find(({ modelId }) => modelId === named) ?? (models[0] as Model);
  const capabilities = (model.capabilities ?? {}) as Listed;
  return { id: model.modelId, model, capabilities, models };
}

/** The choice among the models of an operation, which is in the address. */
export function ModelChoice({ of: { models, id } }: { of: PaneModel }) {
  const [, set] = useParams();
  return (
    <Select
      label="Model"
      value={id}
      options={models.map(({ modelId }) => ({ value: modelId, text: modelId }))}
      onChange={(model) => set({ model })}
    />
  );
}
