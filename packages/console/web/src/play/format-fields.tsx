import type { TextRequest } from "@manifold-gateway/core";
import type { Json } from "@manifold-gateway/core/codec";
import type { Format } from "@manifold-gateway/core/ir";
import { Select } from "../ui/select.tsx";
import { changeRequest } from "./desk.ts";
import { JsonField } from "./json-field.tsx";
import { RefusedField } from "./text-refusal.tsx";
import { useTextSchemas } from "./text-schemas.ts";
import { withMember } from "./tool-fields.tsx";

const FIRST: Json = {
  type: "object",
  properties: { answer: { type: "string" } },
  required: ["answer"],
  additionalProperties: false,
};

const FORMATS: Record<string, Format> = {
  text: { type: "text" },
  json: { type: "json" },
  schema: { type: "schema", name: "answer", schema: FIRST, strict: true },
};

function schemaOf(json: unknown): Json {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw new Error("A JSON Schema is an object.");
  return json as Json;
}

/** The shape that the answer has to have. */
export function FormatFields({ of: { format } }: { of: TextRequest }) {
  const set = (value: Format | undefined): void =>
    changeRequest((request) => withMember(request, "format", value));
  const isRefused = useTextSchemas().isRefused("responseFormat");
  if (isRefused)
    return (
      <RefusedField
        title="Answer format"
        name="responseFormat"
        onLeaveOut={format && (() => set(undefined))}
      />
    );
  return (
    <>
      <Select
        label="Answer format"
        value={format?.type ?? ""}
        options={[
          { value: "", text: "not set" },
          { value: "text", text: "Text" },
          { value: "json", text: "JSON" },
          { value: "schema", text: "JSON of a schema" },
        ]}
        onChange={(type) => set(FORMATS[type])}
      />
      {format?.type === "schema" && (
        <JsonField
          label="Schema of the answer"
          value={format.schema}
          fromJson={schemaOf}
          onChange={(schema) => set({ ...format, schema: schema ?? {} })}
        />
      )}
    </>
  );
}
