import type { JsonObject } from "../../content/request-content.ts";
import type { Body } from "../../protocols/chatstyle/schema.ts";
import { type Family, wireRules } from "../family.ts";

const thinks = ({ thinking }: JsonObject): boolean =>
  (thinking as { type?: unknown } | undefined)?.type !== "disabled";

/** The first place of a schema that the vendor's dialect of JSON Schema refuses, with the reason. */
function againstDialect(schema: unknown, path = ""): string | undefined {
  if (typeof schema === "boolean") return `<At path '${path}': boolean schemas are not supported>`;
  if (typeof schema !== "object" || schema === null) return undefined;
  const node = schema as JsonObject;
  if ("$schema" in node) return `<At path '${path}': $schema is not supported>`;
  if ("$ref" in node && Object.keys(node).length > 1)
    return `<At path '${path}': when using $ref, other keywords should not be set>`;
  if ("anyOf" in node && "type" in node)
    return `<At path '${path}': when using anyOf, type should be defined in anyOf items instead of the parent schema>`;
  const below = (name: string): string => (path === "" ? name : `${path}.${name}`);
  for (const map of ["properties", "$defs"])
    for (const [name, inner] of Object.entries((node[map] ?? {}) as JsonObject)) {
      const found = againstDialect(inner, below(`${map}.${name}`));
      if (found) return found;
    }
  for (const [at, inner] of ((node.anyOf ?? []) as unknown[]).entries()) {
    const found = againstDialect(inner, below(`anyOf.${at}`));
    if (found) return found;
  }
  return node.items === undefined ? undefined : againstDialect(node.items, below("items"));
}

const isForced = (choice: Body["tool_choice"]): boolean =>
  choice !== undefined && choice !== "auto" && choice !== "none";

/** As the vendor's parameter comparison and its answers have it in November 2026. */
const wire = (insists: boolean) =>
  wireRules<Body>({
    members: ["thinking"],
    thinks: (_, extra) => thinks(extra),
    rules: [
      {
        broken: ({ temperature }, { extra }) => {
          const only = thinks(extra) ? 1 : 0.6;
          return (
            temperature != null &&
            temperature !== only &&
            `invalid temperature: only ${only} is allowed for this model`
          );
        },
        message: "",
      },
      {
        broken: ({ top_p }) => top_p != null && top_p !== 0.95,
        message: "invalid top_p: only 0.95 is allowed for this model",
      },
      { broken: ({ n }) => n != null && n !== 1, message: "invalid n: only 1 is allowed for this model" },
      ...(["presence_penalty", "frequency_penalty"] as const).map((field) => ({
        broken: (body: Body) => body[field] != null && body[field] !== 0,
        message: `invalid ${field}: only 0 is allowed for this model`,
      })),
      {
        broken: ({ reasoning_effort }, { extra }) => reasoning_effort != null && extra.thinking !== undefined,
        message: "cannot specify both 'thinking' and 'reasoning_effort'",
      },
      {
        broken: ({ tool_choice }, { extra }) => insists && thinks(extra) && isForced(tool_choice),
        message: "tool_choice specified is incompatible with thinking enabled",
      },
      {
        broken: ({ messages }, { extra }) => {
          const at = messages.findIndex(
            (message) =>
              message.role === "assistant" && message.tool_calls && message.reasoning_content == null,
          );
          return (
            insists &&
            thinks(extra) &&
            at >= 0 &&
            `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${at}`
          );
        },
        message: "",
      },
      {
        broken: ({ messages }) => {
          const at = messages.findIndex(
            (message) =>
              message.role === "assistant" &&
              !message.tool_calls &&
              (message.content == null || message.content === ""),
          );
          return at >= 0 && `the message at position ${at} with role 'assistant' must not be empty`;
        },
        message: "",
      },
      {
        broken: ({ tools = [] }) => {
          for (const tool of tools) {
            const against = tool.type === "function" ? againstDialect(tool.function.parameters) : undefined;
            if (against)
              return `tools.function.parameters is not a valid moonshot flavored json schema, details: ${against}`;
          }
          return false;
        },
        message: "",
      },
    ],
    errorBody: ({ message }) => ({ error: { message, type: "invalid_request_error" } }),
  });

export const fixedSampling: readonly Family[] = [
  { name: "kimi-k3", names: /kimi-k3/, wires: { chatstyle: wire(false) } },
  { name: "kimi-k2.6", names: /kimi-k2\.[5-9]|kimi/, wires: { chatstyle: wire(true) } },
];
