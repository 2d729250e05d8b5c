import { surfaces, toOpenApi } from "@manifold-gateway/gateway";
import type { Group, Page } from "./assemble.ts";

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
}

interface Content {
  schema?: Schema;
  examples?: Record<string, { value: unknown }>;
  example?: unknown;
}

interface Operation {
  tags: string[];
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema; description?: string }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { description: string; content?: Record<string, Content> }>;
}

interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const escaped = (text: string): string =>
  text.replace(/[|<>{}]/g, (sign) => `&#${sign.codePointAt(0)};`).replaceAll("\n", " ");

/** A type in a few words: `string`, `"a" \| "b"`, `Model[]`. */
function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  const some = schema.anyOf ?? schema.oneOf;
  if (some) return [...new Set(some.map(typeOf))].join(" | ");
  if (schema.type === "array") return `${schema.items ? typeOf(schema.items) : "any"}[]`;
  return [schema.type ?? "any"].flat().join(" | ");
}

const cell = (text: string): string =>
  text === "" ? "" : `\`${text.replaceAll("|", "\\|").replaceAll("`", "'")}\``;

const table = (names: string[], rows: string[][]): string =>
  rows.length === 0
    ? ""
    : [names, names.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

const rowOf = (
  name: string,
  schema: Schema,
  required: boolean,
  description = schema.description,
): string[] => [
  `\`${name}\`${required ? " *" : ""}`,
  cell(typeOf(schema)),
  [
    escaped(description ?? ""),
    schema.default === undefined ? "" : `Default: ${cell(JSON.stringify(schema.default))}.`,
  ]
    .join(" ")
    .trim(),
];

export function reference(): Group {
  const document = toOpenApi(surfaces) as unknown as Document;
  const fieldsOf = (schema: Schema | undefined): string => {
    const name = schema?.$ref?.split("/").at(-1);
    const found = name === undefined ? schema : document.components.schemas[name];
    const rows = Object.entries(found?.properties ?? {}).flatMap(([field, inner]) => [
      rowOf(field, inner, found?.required?.includes(field) ?? false),
      ...Object.entries(inner.properties ?? {}).map(([name, one]) => rowOf(`${field}.${name}`, one, false)),
    ]);
    return table(["field", "type", ""], rows);
  };

  const operationOf = (path: string, method: string, operation: Operation): string => {
    const parameters = (operation.parameters ?? []).filter((one) => one.in !== "header");
    const body = Object.entries(operation.requestBody?.content ?? {});
    const [status, success] =
      Object.entries(operation.responses).find(([code]) => code.startsWith("2")) ?? [];
    const example = Object.values(body[0]?.[1].examples ?? {})[0]?.value;
    return [
      `## ${method.toUpperCase()} ${path.replace(/[{}]/g, (sign) => `\\${sign}`)}`,
      `${escaped(operation.summary)}.`,
      escaped(operation.description ?? ""),
      table(
        ["parameter", "type", ""],
        parameters.map((one) => rowOf(one.name, one.schema, one.required ?? false, one.description)),
      ),
      ...body.map(([type, { schema }]) => `**Body** \`${type}\`\n\n${fieldsOf(schema)}`),
      example === undefined ? "" : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
      ...Object.entries(success?.content ?? {}).map(
        ([type, { schema }]) => `**Answer** ${status}, \`${type}\`\n\n${fieldsOf(schema)}`,
      ),
    ]
      .filter(Boolean)
      .join("\n\n");
  };

  const pageOf = ({ name, description }: Document["tags"][number]): Page => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation.tags.includes(name))
        .map(([method, operation]) => operationOf(path, method, operation)),
    );
    const text = [`# ${name}`, description, "Members with a star are needed.", ...operations].join("\n\n");
    return { route: `reference/${name}`, title: name, text: `${text}\n` };
  };
  return { text: "API reference", pages: document.tags.map(pageOf) };
}
