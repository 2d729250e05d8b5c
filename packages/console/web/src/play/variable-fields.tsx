import type { TextRequest } from "@manifold-gateway/core";
import { Field } from "../ui/form.tsx";
import { changeDraft, draft } from "./desk.ts";
import { variablesOf } from "./variables.ts";

/** A field for each `{{name}}` of the texts. */
export function VariableFields({ of: request }: { of: TextRequest }) {
  const names = variablesOf(request);
  if (names.length === 0) return null;
  const values = draft.value?.values ?? {};
  return (
    <section class="variables" aria-label="Variables">
      {names.map((name) => (
        <Field
          key={name}
          label={`{{${name}}}`}
          placeholder="sent as it stands"
          value={values[name] ?? ""}
          onInput={(value) =>
            changeDraft((before) => ({ ...before, values: { ...before.values, [name]: value } }))
          }
        />
      ))}
    </section>
  );
}
