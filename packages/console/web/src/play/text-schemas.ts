import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { draft } from "./desk.ts";
import { paramsOf, type Schema } from "./schema-form.ts";

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

/** What the models of the draft take. */
export interface TextSchemas {
  /** The schema of the first model. */
  first: Schema;
  /** The models that do not take a parameter. */
  refusing(name: string): string[];
  /** Checks whether none of the models takes a parameter. */
  isRefused(name: string): boolean;
}

export function useTextSchemas(): TextSchemas {
  // A model has no name yet where the service has none.
  const ids = [...new Set(draft.value?.models.map(({ model }) => model).filter(Boolean) ?? [])];
  const { data: schemas = [] } = useQuery({
    queryKey: ["schemas", ...ids],
    queryFn: ({ signal }) => Promise.all(ids.map((id) => schemaOf(id, signal))),
  });
  const refused = schemas.map(
    (schema) => new Set(paramsOf(schema).flatMap(({ name, kind }) => (kind === "refused" ? [name] : []))),
  );
  return {
    first: schemas[0] ?? {},
    refusing: (name) => ids.filter((_, at) => refused[at]?.has(name)),
    isRefused: (name) => refused.length > 0 && refused.every((names) => names.has(name)),
  };
}
