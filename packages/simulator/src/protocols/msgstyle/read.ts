import type * as z from "zod";
import { firstFinding } from "../../check/finding.ts";
import { decodeBase64 } from "../../check/media.ts";
import { checkRules } from "../../check/rule.ts";
import type { JsonObject, Mark, Media, Part, RequestContent, Text } from "../../content/request-content.ts";
import type { Call } from "../protocol.ts";
import { toRefusal } from "./errors.ts";
import { rules } from "./rules.ts";
import { type Block, type Body, countSchema, type ResultBlock, schema } from "./schema.ts";

const markOf = (item: object): { mark?: Mark } => {
  const cache =
    "cache_control" in item ? (item.cache_control as { ttl?: Mark } | null | undefined) : undefined;
  return cache ? { mark: cache.ttl ?? "5m" } : {};
};

function mediaOf(block: Extract<ResultBlock, { type: "image" | "document" }>): Media {
  const { type: kind, source } = block;
  switch (source.type) {
    case "base64":
      return { type: "media", kind, label: source.media_type, size: decodeBase64(source.data)?.length ?? 0 };
    case "text":
      return { type: "media", kind, label: source.media_type, size: Buffer.byteLength(source.data) };
    case "content":
      return {
        type: "media",
        kind,
        label: "text/plain",
        size: Buffer.byteLength(JSON.stringify(source.content)),
      };
    case "url":
      return { type: "media", kind, label: source.url };
    case "file":
      return { type: "media", kind, label: source.file_id };
  }
}

function shownOf(block: ResultBlock): Text | Media {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text, ...markOf(block) };
    case "search_result":
      return { type: "text", text: block.content.map((part) => part.text).join("\n"), ...markOf(block) };
    case "tool_reference":
      return { type: "text", text: block.tool_name };
    default:
      return { ...mediaOf(block), ...markOf(block) };
  }
}

function partOf(block: Block): Part[] {
  switch (block.type) {
    case "text":
    case "image":
    case "document":
    case "search_result":
      return [shownOf(block as ResultBlock)];
    case "thinking":
      return [{ type: "reasoning", text: String(block.thinking) }];
    case "tool_use": {
      const args = JSON.stringify(block.input);
      return [{ type: "call", id: String(block.id), name: String(block.name), args, ...markOf(block) }];
    }
    case "tool_result": {
      const content = (block.content ?? []) as string | ResultBlock[];
      const parts: (Text | Media)[] =
        typeof content === "string" ? [{ type: "text", text: content }] : content.map(shownOf);
      return [
        {
          type: "result",
          id: String(block.tool_use_id),
          parts,
          failed: block.is_error === true,
          ...markOf(block),
        },
      ];
    }
    default:
      return [];
  }
}

const textsOf = (content: string | { text: string }[]): Text[] =>
  typeof content === "string"
    ? [{ type: "text", text: content }]
    : content.map((block) => ({ type: "text", text: block.text, ...markOf(block) }));

function contentOf(body: Body): RequestContent {
  const { tool_choice: choice = { type: "auto" as const }, thinking } = body;
  const format = body.output_config?.format;
  const within = body.messages.filter(({ role }) => role === "system");
  const turns = body.messages.flatMap(({ role, content }) => {
    if (role === "system") return [];
    const parts = typeof content === "string" ? textsOf(content) : content.flatMap(partOf);
    return [{ role, parts }];
  });
  const last = turns.at(-1)?.parts.at(-1);
  if (body.cache_control && last) Object.assign(last, markOf(body));
  return {
    system: [
      ...(body.system === undefined ? [] : textsOf(body.system)),
      ...within.flatMap(({ content }) => textsOf(content as string | { text: string }[])),
    ],
    turns,
    tools: (body.tools ?? []).flatMap((tool) =>
      "input_schema" in tool
        ? [
            {
              name: String(tool.name),
              description: tool.description as string | undefined,
              schema: tool.input_schema as JsonObject,
              ...markOf(tool),
            },
          ]
        : [],
    ),
    choice: choice.type === "tool" ? { mode: "any", names: [choice.name] } : { mode: choice.type },
    parallel: !("disable_parallel_tool_use" in choice && choice.disable_parallel_tool_use),
    format: format ? { type: "json", schema: format.schema } : { type: "text" },
    reasoning: thinking?.type === "enabled" || thinking?.type === "adaptive",
    limit: body.max_tokens,
    stop: body.stop_sequences ?? [],
    alternatives: 1,
  };
}

function checked<S extends z.ZodType>(shape: S, input: unknown): z.infer<S> {
  const parsed = shape.safeParse(input);
  if (!parsed.success) throw toRefusal(firstFinding(parsed.error, input));
  return parsed.data;
}

export function read(input: unknown, call: Call): { body: Body; content: RequestContent } {
  const body = checked(schema, input);
  checkRules(rules, body, call);
  return { body, content: contentOf(body) };
}

/** A prompt whose tokens are only to be counted: it has no output limit and nothing that steers the output. */
export function readCount(input: unknown, call: Call): RequestContent {
  const body = { ...checked(countSchema, input), max_tokens: Number.MAX_SAFE_INTEGER };
  checkRules(rules, body, call);
  return contentOf(body);
}
