import { inputsOf, type Param, paramsOf, type Schema } from "../play/schema-form.ts";
import { Badges } from "../ui/badge.tsx";
import { Section } from "../ui/section.tsx";
import { Table } from "../ui/table.tsx";

/** What a parameter may be, in the words of the schema or by its values and bounds. */
function allowed({ kind, about, values, min, max }: Param): string {
  if (kind === "refused") return "not supported";
  if (about !== undefined) return about;
  if (values.length > 0) return values.join(", ");
  if (min !== undefined && max !== undefined) return `from ${min} to ${max}`;
  if (min !== undefined) return `at least ${min}`;
  if (max !== undefined) return `at most ${max}`;
  return kind === "flag" ? "true or false" : "anything";
}

/** The parameters and inputs of a schema, with their bounds and defaults. */
export function Takes({ of: schema }: { of: Schema }) {
  const params = paramsOf(schema, ["content"]);
  const inputs = inputsOf(schema);
  if (params.length + inputs.length === 0) return <p>This model has no documented limits on parameters.</p>;
  return (
    <>
      <Table
        caption="Parameters"
        rows={params}
        keyOf={({ name }) => name}
        columns={[
          { title: "Parameter", cell: ({ name }) => <code>{name}</code> },
          { title: "Kind", cell: ({ kind, isWhole }) => (isWhole ? "whole number" : kind) },
          {
            title: "Allowed",
            cell: allowed,
          },
          { title: "Default", cell: ({ preset }) => (preset === undefined ? "–" : String(preset)) },
        ]}
      />
      {inputs.length > 0 && (
        <Section title="Files that it takes">
          <Table
            caption="Files"
            rows={inputs}
            keyOf={({ kind }) => kind}
            columns={[
              { title: "Kind", cell: ({ kind }) => kind },
              { title: "As", cell: ({ roles }) => <Badges of={roles} /> },
              {
                title: "Formats",
                cell: ({ mediaTypes }) => <Badges of={mediaTypes.map((type) => type.replace(/^.*\//, ""))} />,
              },
            ]}
          />
        </Section>
      )}
    </>
  );
}
