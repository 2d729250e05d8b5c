import type { TextRequest } from "@manifold-gateway/core";
import { efforts, type ReasoningAsk } from "@manifold-gateway/core/ir";
import { Select } from "../ui/select.tsx";
import { changeRequest } from "./desk.ts";
import { RefusedField } from "./text-refusal.tsx";
import { useTextSchemas } from "./text-schemas.ts";
import { withMember } from "./tool-fields.tsx";

/** How much a model should think. */
export function ReasoningField({ of: { reasoning } }: { of: TextRequest }) {
  const set = (more: ReasoningAsk): void =>
    changeRequest((request) => {
      const all = Object.entries({ ...request.reasoning, ...more }).filter(
        ([, value]) => value !== undefined,
      );
      return withMember(request, "reasoning", all.length > 0 ? Object.fromEntries(all) : undefined);
    });
  const isRefused = useTextSchemas().isRefused("reasoningEffort");
  if (isRefused)
    return (
      <RefusedField
        title="Reasoning"
        name="reasoningEffort"
        onLeaveOut={
          reasoning && (() => changeRequest((request) => withMember(request, "reasoning", undefined)))
        }
      />
    );
  const { mode, effort } = reasoning ?? {};
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
