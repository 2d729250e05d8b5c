import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { changeDraft } from "./desk.ts";
import { Refusal } from "./refusal.tsx";
import { takerOf } from "./takers.ts";
import { useTextSchemas } from "./text-schemas.ts";

/** Makes the first model of the draft another one. */
const switchTo = (model: string): void =>
  changeDraft((before) => ({
    ...before,
    models: before.models.map((one, at) => (at === 0 ? { ...one, model } : one)),
  }));

interface TextRefusalProps {
  /** The parameter, by its name in capabilities. */
  name: string;
  /** Takes its value out of the request, where it has one. */
  onLeaveOut?: (() => void) | undefined;
}

/** Why none of the draft's models takes a parameter, and what to do. */
export function TextRefusal({ name, onLeaveOut }: TextRefusalProps) {
  const by = useTextSchemas().refusing(name);
  const { data: models = [] } = useQuery({
    queryKey: ["models"],
    queryFn: ({ signal }) => call("get", "/api/v1/ai/models", { signal }),
  });
  const texts = models.filter(({ outputModalities: made }) => made.includes("text"));
  return (
    <>
      {onLeaveOut && (
        <>
          <b class="bad">It is set.</b>{" "}
          <button type="button" class="quiet" onClick={onLeaveOut}>
            Leave it out
          </button>{" "}
        </>
      )}
      <Refusal by={by} taker={takerOf(texts, { area: "text", name, besides: by })} onUse={switchTo} />
    </>
  );
}

interface RefusedFieldProps extends TextRefusalProps {
  title: string;
}

/** In the place of a field whose setting no model of the draft takes. */
export const RefusedField = ({ title, ...refusal }: RefusedFieldProps) => (
  <div class="field refused">
    <b>{title}</b>
    <p class="hint">
      <TextRefusal {...refusal} />
    </p>
  </div>
);
