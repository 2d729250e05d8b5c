import type {
  LanguageModelV4Citation,
  LanguageModelV4FinishReason,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import type { Failure, Head } from "@manifold-gateway/core";
import { compact, type Json, type JsonObject, type Lose, type Machine } from "@manifold-gateway/core/codec";
import type { Citation, Event, Finish, FinishReason, Seal, Usage } from "@manifold-gateway/core/ir";
import { type Metadata, metadataOf } from "./wire.ts";

type Unified = LanguageModelV4FinishReason["unified"];

const reasons: Record<FinishReason, Unified> = {
  stop: "stop",
  stop_sequence: "stop",
  length: "length",
  context_overflow: "length",
  tool_calls: "tool-calls",
  content_filter: "content-filter",
  refusal: "content-filter",
  malformed_tool_call: "error",
  pause: "other",
  compaction: "other",
  other: "other",
};

interface OpenPart extends Metadata {
  type: "text" | "reasoning" | "call";
  path: string;
  citations: LanguageModelV4Citation[];
  call?: { toolCallId: string; toolName: string; input: string };
  /** The end of a call that is over, until the calls before it are. */
  ended?: Chunk[];
}

type Chunk = JsonObject;
const chunk = (value: object): Chunk => value as Chunk;

/** Writes the parts of the interface's streams as JSON. There is one answer; parts of other alternatives are lost. */
export function encodeReply(head: Head, lose: Lose): Machine<Event, Chunk> {
  const parts = new Map<number, OpenPart>();
  /** Calls whose end is not written, in their order: the next turn repeats them in the order of their ends. */
  const calls: OpenPart[] = [];
  const counts = new Map<number, number>();
  let sources = 0;
  let finish: Finish | undefined;
  let usage: Usage | undefined;
  let isFailed = false;

  const open = ({ index, choice = 0, part }: Extract<Event, { type: "open" }>): Chunk[] => {
    const at = counts.get(choice) ?? 0;
    counts.set(choice, at + 1);
    const path = `/choices/${choice}/parts/${at}`;
    if (choice !== 0) {
      lose(path, "unsupported");
      return [];
    }
    if (part.type === "media") return mediaChunk(part, () => lose(path, "unsupported"));
    if (part.type === "opaque") {
      const { protocol, value } = part;
      return [
        chunk({
          type: "custom",
          kind: `manifold.${protocol}`,
          ...metadataOf({ opaque: { protocol, value } }),
        }),
      ];
    }
    const known: OpenPart = { type: part.type, path, citations: [] };
    if (part.type === "text" && part.refusal) known.refusal = true;
    if (part.type === "reasoning" && part.redacted) known.redacted = true;
    if (part.type !== "text" && part.seal) known.seal = part.seal;
    if (part.type === "call") {
      known.call = { toolCallId: part.id, toolName: part.name, input: "" };
      calls.push(known);
    }
    if (part.extra) known.extra = part.extra;
    parts.set(index, known);
    return [
      chunk(
        part.type === "call"
          ? { type: "tool-input-start", id: part.id, toolName: part.name }
          : { type: `${part.type}-start`, id: String(index) },
      ),
    ];
  };

  const grow = (index: number, delta: string): Chunk[] => {
    const part = parts.get(index);
    if (!part || delta === "") return [];
    if (!part.call) return [chunk({ type: `${part.type}-delta`, id: String(index), delta })];
    part.call.input += delta;
    return [chunk({ type: "tool-input-delta", id: part.call.toolCallId, delta })];
  };

  const close = (index: number, seal: Seal | undefined): Chunk[] => {
    const part = parts.get(index);
    if (!part) return [];
    parts.delete(index);
    const metadata = metadataOf({
      seal: seal ?? part.seal,
      redacted: part.redacted,
      refusal: part.refusal,
      extra: part.extra,
    } as Metadata);
    if (!part.call) {
      const citations = part.citations.length > 0 ? { citations: part.citations } : {};
      return [chunk({ type: `${part.type}-end`, id: String(index), ...citations, ...metadata })];
    }
    // A call without arguments is one with none.
    const input = part.call.input || "{}";
    part.ended = [
      chunk({ type: "tool-input-end", id: part.call.toolCallId }),
      chunk({ type: "tool-call", ...part.call, input, ...metadata }),
    ];
    const out: Chunk[] = [];
    while (calls[0]?.ended) out.push(...(calls.shift()?.ended ?? []));
    return out;
  };

  const cite = (index: number, citation: Citation): Chunk[] => {
    const part = parts.get(index);
    if (!part) return [];
    if (part.type !== "text" || citation.url === undefined) {
      lose(`${part.path}/citations`, "unsupported");
      return [];
    }
    const { url, title, quote, start, end } = citation;
    const source = {
      type: "source",
      sourceType: "url",
      id: `source-${sources++}`,
      url,
      ...compact({ title }),
    } as const;
    part.citations.push({ source, ...compact({ citedText: quote, startIndex: start, endIndex: end }) });
    return [chunk(source)];
  };

  const logprobs = (index: number): Chunk[] => {
    const part = parts.get(index);
    if (part) lose(`${part.path}/logprobs`, "unsupported");
    return [];
  };

  const step = (event: Event): Chunk[] => {
    switch (event.type) {
      case "start": {
        const seconds = event.created ?? head.created;
        const timestamp = new Date(seconds * 1000).toISOString();
        return [
          chunk({ type: "response-metadata", ...compact({ id: event.id, modelId: event.model }), timestamp }),
        ];
      }
      case "open":
        return open(event);
      case "delta":
        return grow(event.index, event.text);
      case "cite":
        return cite(event.index, event.citation);
      case "logprobs":
        return logprobs(event.index);
      case "close":
        return close(event.index, event.seal);
      case "usage":
        usage = event.usage;
        return [];
      case "finish":
        if ((event.choice ?? 0) === 0) finish = event;
        else lose(`/choices/${event.choice}/finish`, "unsupported");
        return [];
      case "failure":
        isFailed = true;
        return [chunk({ type: "error", error: errorOf(event.failure) })];
      default:
        return [];
    }
  };

  return {
    step: (event) => (isFailed ? [] : step(event)),
    end: () => (isFailed || !finish ? [] : [ending(finish, usage)]),
  };
}

/** An error as JSON, of which the model makes the interface's own. */
export const errorOf = ({ status, kind, message, code, param, retryAfter }: Failure): JsonObject => ({
  message,
  statusCode: status,
  kind,
  ...(compact({ code, param, retryAfter }) as JsonObject),
});

function mediaChunk(
  { source }: Extract<Extract<Event, { type: "open" }>["part"], { type: "media" }>,
  lost: () => void,
): Chunk[] {
  if (source.type === "base64")
    return [chunk({ type: "file", mediaType: source.mediaType, data: { type: "data", data: source.data } })];
  if (source.type === "url")
    return [
      chunk({
        type: "file",
        mediaType: source.mediaType ?? "application/octet-stream",
        data: { type: "url", url: source.url },
      }),
    ];
  lost();
  return [];
}

function ending({ reason, raw, sequence, note }: Finish, usage: Usage | undefined): Chunk {
  const details = compact({ stopSequence: sequence, note }) as Record<string, Json>;
  return chunk({
    type: "finish",
    finishReason: { unified: reasons[reason], ...compact({ raw: raw ?? reason }) },
    usage: usageOf(usage),
    ...(Object.keys(details).length > 0 && { providerMetadata: { manifold: details } }),
  });
}

/** Token counts of the interface. Counts that are missing were not reported. */
function usageOf(usage: Usage | undefined): LanguageModelV4Usage {
  if (!usage) return { inputTokens: {}, outputTokens: {} } as LanguageModelV4Usage;
  const { input, output, cacheRead, cacheWrite, reasoning } = usage;
  return {
    inputTokens: {
      total: input,
      noCache: Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
      cacheRead,
      cacheWrite,
    },
    outputTokens: { total: output, text: Math.max(0, output - (reasoning ?? 0)), reasoning },
    raw: { ...usage },
  };
}
