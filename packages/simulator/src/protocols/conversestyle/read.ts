import { firstFinding } from "../../check/finding.ts";
import { decodeAnyBase64 } from "../../check/media.ts";
import { checkRules } from "../../check/rule.ts";
import type {
  JsonObject,
  Mark,
  Media,
  Part,
  RequestContent,
  Text,
  Turn,
} from "../../content/request-content.ts";
import type { Call } from "../protocol.ts";
import { toRefusal } from "./errors.ts";
import { rules } from "./rules.ts";
import { type Block, type Body, type ResultBlock, schema } from "./schema.ts";

function mediaOf(block: Pick<Block, "image" | "document" | "video">): Media | undefined {
  for (const kind of ["image", "document", "video"] as const) {
    const { format = "txt", source } = block[kind] ?? {};
    if (source === undefined) continue;
    if ("bytes" in source) {
      const size = decodeAnyBase64(source.bytes)?.length ?? 0;
      return { type: "media", kind, label: `${kind}/${format}`, size };
    }
    return { type: "media", kind, label: JSON.stringify(source) };
  }
  return undefined;
}

function shownOf(block: ResultBlock): (Text | Media)[] {
  if (block.text !== undefined) return [{ type: "text", text: block.text }];
  if (block.json !== undefined) return [{ type: "text", text: JSON.stringify(block.json) }];
  const media = mediaOf(block);
  return media ? [media] : [];
}

function partOf(block: Block): Part[] {
  const { text, toolUse, toolResult, reasoningContent } = block;
  if (text !== undefined) return [{ type: "text", text }];
  if (toolUse)
    return [{ type: "call", id: toolUse.toolUseId, name: toolUse.name, args: JSON.stringify(toolUse.input) }];
  if (toolResult)
    return [
      {
        type: "result",
        id: toolResult.toolUseId,
        parts: toolResult.content.flatMap(shownOf),
        failed: toolResult.status === "error",
      },
    ];
  if (reasoningContent?.reasoningText)
    return [{ type: "reasoning", text: reasoningContent.reasoningText.text }];
  const media = mediaOf(block);
  return media ? [media] : [];
}

/** The items of a list, each with the mark of the cache point behind it. */
function marked<
  Item extends { cachePoint?: { ttl?: Mark | undefined } | undefined },
  Part extends { mark?: Mark },
>(items: readonly Item[], partsOf: (item: Item) => Part[]): Part[] {
  const parts: Part[] = [];
  for (const item of items) {
    const last = parts.at(-1);
    if (item.cachePoint) {
      if (last) last.mark = item.cachePoint.ttl ?? "5m";
    } else parts.push(...partsOf(item));
  }
  return parts;
}

function contentOf(body: Body): RequestContent {
  const { toolConfig, outputConfig, inferenceConfig = {}, additionalModelRequestFields } = body;
  const { toolChoice = { auto: {} }, tools = [] } = toolConfig ?? {};
  const format = outputConfig?.textFormat.structure.jsonSchema.schema;
  const { maxTokens: limit, stopSequences: stop = [] } = inferenceConfig;
  return {
    system: marked(body.system ?? [], ({ text }): Text[] =>
      text === undefined ? [] : [{ type: "text", text }],
    ),
    turns: body.messages.map(({ role, content }): Turn => ({ role, parts: marked(content, partOf) })),
    tools: marked(tools, ({ toolSpec }): RequestContent["tools"] =>
      toolSpec
        ? [
            {
              name: toolSpec.name,
              ...(toolSpec.description !== undefined && { description: toolSpec.description }),
              schema: toolSpec.inputSchema.json,
            },
          ]
        : [],
    ),
    choice:
      "tool" in toolChoice
        ? { mode: "any", names: [toolChoice.tool.name] }
        : { mode: "any" in toolChoice ? "any" : "auto" },
    parallel: true,
    format: format ? { type: "json", schema: JSON.parse(format) as JsonObject } : { type: "text" },
    reasoning: additionalModelRequestFields?.thinking?.type === "enabled",
    ...(limit !== undefined && { limit }),
    stop,
    alternatives: 1,
  };
}

export function read(input: unknown, call: Call): { body: Body; content: RequestContent } {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw toRefusal(firstFinding(parsed.error, input));
  checkRules(rules, parsed.data, call);
  return { body: parsed.data, content: contentOf(parsed.data) };
}
