import { againstConstrained } from "../../check/dialect.ts";
import { decodeBase64, sniff } from "../../check/media.ts";
import type { Rule } from "../../check/rule.ts";
import { isVariant } from "../../variants.ts";
import type { Call } from "../protocol.ts";
import { conversationRules } from "./conversation.ts";
import { BETA_FIELDS, type Block, type Body, RETIRED_FIELDS } from "./schema.ts";

const blocksOf = (content: string | Block[]): Block[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** Every block with its path, those inside tool results as well. */
function* everyBlock({ messages }: Body): Generator<[path: string, block: Block]> {
  for (const [at, { content }] of messages.entries())
    for (const [index, block] of blocksOf(content).entries()) {
      const path = typeof content === "string" ? `messages.${at}.content` : `messages.${at}.content.${index}`;
      yield [path, block];
      if (block.type === "tool_result" && Array.isArray(block.content))
        for (const [inner, nested] of block.content.entries())
          yield [`${path}.content.${inner}`, nested as Block];
    }
}

function emptyText(body: Body): string | undefined {
  for (const [index, { text }] of (Array.isArray(body.system) ? body.system : []).entries())
    if (text.trim() === "")
      return `system.${index}: text content blocks must ${text ? "contain non-whitespace text" : "be non-empty"}`;
  for (const [path, block] of everyBlock(body))
    if (
      block.type === "text" &&
      typeof block.text === "string" &&
      block.text.trim() === "" &&
      path.includes("content.")
    )
      return `messages: text content blocks must ${block.text ? "contain non-whitespace text" : "be non-empty"}`;
  return undefined;
}

function wrongImage(body: Body): string | undefined {
  for (const [path, block] of everyBlock(body)) {
    const source =
      "source" in block ? (block.source as { type: string; media_type: string; data: string }) : undefined;
    if (source?.type !== "base64") continue;
    const bytes = decodeBase64(source.data);
    const where = `${path}.${String(block.type)}.source.base64`;
    if (!bytes) return `${where}: invalid base64 data`;
    const shown = sniff(bytes);
    if (shown && shown !== source.media_type)
      return `${where}.media_type: The ${String(block.type)} was specified using the ${source.media_type} media type, but it appears to be ${shown}`;
  }
  return undefined;
}

function countMarkers(body: Body): number {
  const marked = [
    ...[...everyBlock(body)].map(([, block]) => block),
    ...(body.tools ?? []),
    ...(Array.isArray(body.system) ? body.system : []),
    body,
  ];
  return marked.filter((item) => "cache_control" in item && item.cache_control).length;
}

const thinks = ({ thinking }: Body): boolean => thinking?.type === "enabled" || thinking?.type === "adaptive";

export const rules: Rule<Body, Call>[] = [
  {
    broken: (_, { headers }) => !headers["anthropic-version"] && !headers["msgstyle-version"],
    message: "anthropic-version: header is required",
  },
  ...BETA_FIELDS.map(
    (field): Rule<Body, Call> => ({
      broken: (body, { headers }) =>
        body[field] !== undefined && !headers["anthropic-beta"] && !headers["msgstyle-beta"],
      message: `${field}: Extra inputs are not permitted`,
    }),
  ),
  ...RETIRED_FIELDS.map(
    (field): Rule<Body, Call> => ({
      broken: (body, { headers }) =>
        body[field] !== undefined &&
        (headers["anthropic-version"] ?? headers["msgstyle-version"] ?? "") >= "2026-10-21",
      message: `${field}: Extra inputs are not permitted`,
    }),
  ),
  { broken: emptyText, message: "" },
  { broken: wrongImage, message: "" },
  {
    broken: (body) => {
      const count = countMarkers(body);
      return count > 4 && `A maximum of 4 blocks with cache_control may be provided. Found ${count}.`;
    },
    message: "",
  },
  {
    broken: ({ stop_sequences = [] }) => stop_sequences.some((sequence) => sequence.trim() === ""),
    message: "stop_sequences: each stop sequence must contain non-whitespace",
  },
  {
    broken: ({ tool_choice, tools = [] }) =>
      tool_choice !== undefined && tool_choice.type !== "none" && tools.length === 0,
    message: "tool_choice may only be specified while providing tools.",
  },
  {
    broken: ({ tool_choice, tools = [] }) =>
      tool_choice?.type === "tool" &&
      !tools.some((tool) => "name" in tool && tool.name === tool_choice.name) &&
      `Tool '${tool_choice.name}' not found in provided tools`,
    message: "",
  },
  {
    broken: ({ tools = [] }) => {
      const names = tools.flatMap((tool) => ("name" in tool ? [tool.name] : []));
      return names.length !== new Set(names).size;
    },
    message: "tools: Tool names must be unique.",
  },
  {
    broken: ({ tools = [] }) => {
      for (const [index, tool] of tools.entries()) {
        if (!("input_schema" in tool)) continue;
        const given = tool.input_schema as Record<string, unknown>;
        if (given.oneOf || given.anyOf || given.allOf)
          return `tools.${index}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`;
        const against = tool.strict === true ? againstConstrained(given) : undefined;
        if (against) return `tools.${index}.custom: ${against}`;
      }
      return false;
    },
    message: "",
  },
  {
    broken: ({ output_config }) => {
      const against = output_config?.format ? againstConstrained(output_config.format.schema) : undefined;
      return against && `output_config.format.schema: ${against}`;
    },
    message: "",
  },
  {
    broken: ({ thinking, max_tokens }) =>
      thinking?.type === "enabled" && thinking.budget_tokens >= max_tokens,
    message: "`max_tokens` must be greater than `thinking.budget_tokens`.",
  },
  {
    broken: (body) => thinks(body) && body.temperature !== undefined && body.temperature !== 1,
    message: "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.",
  },
  {
    broken: (body) => thinks(body) && body.top_k !== undefined,
    message: "`top_k` must be unset when thinking is enabled or in adaptive mode.",
  },
  {
    broken: (body) => thinks(body) && body.top_p !== undefined && body.top_p < 0.95,
    message:
      "`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled or in adaptive mode.",
  },
  {
    broken: ({ thinking, tool_choice }) =>
      thinking?.type === "enabled" && (tool_choice?.type === "any" || tool_choice?.type === "tool"),
    message: "Thinking may not be enabled when tool_choice forces tool use.",
  },
  {
    broken: ({ model, thinking }) => isVariant(model, "-new") && thinking?.type === "enabled",
    message:
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
  },
  ...RETIRED_FIELDS.map(
    (field): Rule<Body, Call> => ({
      broken: (body) => isVariant(body.model, "-new") && body[field] !== undefined && body[field] !== 1,
      message: `\`${field}\` is not supported for this model.`,
    }),
  ),
  {
    broken: ({ model, thinking }) => isVariant(model, "-old") && thinking?.type === "adaptive",
    message: "adaptive thinking is not supported on this model",
  },
  {
    broken: ({ model, output_config }) => isVariant(model, "-old") && output_config !== undefined,
    message: "output_config: Extra inputs are not permitted",
  },
  ...conversationRules,
];
