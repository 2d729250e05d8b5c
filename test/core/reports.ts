import { type AnyCodec, codecs, DONE, type Json, type JsonObject, type Protocol } from "@manifold/core";

/** A wire with small replies on it, which say "Hello there" and report usage where a test wants it. */
export interface Reporting {
  codec: AnyCodec;
  /** A report with every figure of the wire. */
  full: JsonObject;
  body(report?: Json): JsonObject;
  /** The chunks of a reply that reports near its start and at its end, where the wire has both places. */
  chunks(early?: Json, late?: Json): Json[];
  /** Whether the wire reports once. */
  once?: true;
}

const says = "Hello there";
const under = (name: string, report: Json | undefined): JsonObject =>
  report === undefined ? {} : { [name]: report };

const chat = { id: "chatcmpl-1", created: 1_760_000_000, model: "up" };
const part = (delta: JsonObject, finish: string | null, report?: Json): Json => ({
  ...chat,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...under("usage", report),
});

const message = { id: "msg_1", type: "message", role: "assistant", model: "up" };
const ended = { stop_reason: "end_turn", stop_sequence: null };

const response = (status: string, output: Json[], report: Json = null): JsonObject => ({
  id: "resp_1",
  object: "response",
  created_at: 1_760_000_000,
  model: "up",
  status,
  output,
  usage: report,
});
const item = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: says, annotations: [] }],
};

const piece = (text: string, finish: JsonObject, report?: Json): JsonObject => ({
  responseId: "gen-1",
  modelVersion: "up",
  candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, ...finish }],
  ...under("usageMetadata", report),
});

export const reporting: Record<Protocol, Reporting> = {
  chatstyle: {
    codec: codecs.chatstyle,
    full: {
      prompt_tokens: 40,
      completion_tokens: 20,
      total_tokens: 60,
      prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 4, audio_tokens: 3, image_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 1 },
      prompt_cache_hit_tokens: 10,
      cache_creation_input_tokens: 4,
    },
    body: (report) => ({
      ...chat,
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: says }, finish_reason: "stop" }],
      ...under("usage", report),
    }),
    chunks: (early, late) => [part({ content: says }, null, early), part({}, "stop", late), DONE],
  },
  responses: {
    codec: codecs.responses,
    full: {
      input_tokens: 40,
      output_tokens: 20,
      total_tokens: 60,
      input_tokens_details: { cached_tokens: 10, cache_write_tokens: 4 },
      output_tokens_details: { reasoning_tokens: 5 },
    },
    body: (report) => response("completed", [item], report),
    chunks: (_, late) => [
      { type: "response.created", response: response("in_progress", []), sequence_number: 0 },
      { type: "response.completed", response: response("completed", [item], late), sequence_number: 1 },
    ],
    once: true,
  },
  msgstyle: {
    codec: codecs.msgstyle,
    full: {
      input_tokens: 26,
      output_tokens: 20,
      cache_read_input_tokens: 10,
      cache_creation_input_tokens: 4,
      cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 1 },
      output_tokens_details: { thinking_tokens: 5 },
      iterations: [{ type: "compaction", input_tokens: 7, output_tokens: 8, cache_read_input_tokens: 1 }],
    },
    body: (report) => ({
      ...message,
      content: [{ type: "text", text: says }],
      ...ended,
      ...under("usage", report),
    }),
    chunks: (early, late): JsonObject[] => [
      { type: "message_start", message: { ...message, content: [], ...under("usage", early) } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: says } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: ended, ...under("usage", late) },
      { type: "message_stop" },
    ],
  },
  genstyle: {
    codec: codecs.genstyle,
    full: {
      promptTokenCount: 40,
      candidatesTokenCount: 20,
      totalTokenCount: 65,
      thoughtsTokenCount: 5,
      toolUsePromptTokenCount: 6,
      cachedContentTokenCount: 10,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 37 },
        { modality: "AUDIO", tokenCount: 3 },
      ],
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 2 }],
    },
    body: (report) => piece(says, { finishReason: "STOP" }, report),
    chunks: (early, late) => [piece(says, {}, early), piece("", { finishReason: "STOP" }, late)],
  },
  native: {
    codec: codecs.native,
    full: { promptTokens: 40, completionTokens: 20, totalTokens: 60 },
    body: (report) => ({ delta: says, finishReason: "stop", ...under("usage", report) }),
    chunks: (early, late) => [
      { delta: says, ...under("usage", early) },
      { delta: "", finishReason: "stop", ...under("usage", late) },
      DONE,
    ],
  },
};

/** Where the numbers of a report stand. */
export function placesOf(report: Json, path: string[] = []): string[][] {
  if (typeof report === "number") return [path];
  if (typeof report !== "object" || report === null) return [];
  return Object.entries(report).flatMap(([key, value]) => placesOf(value, [...path, key]));
}

/** The report with another value in that place; with `undefined`, without any. */
export function withFigure(report: JsonObject, path: string[], value: Json | undefined): JsonObject {
  const copy = structuredClone(report);
  let node: JsonObject = copy;
  for (const key of path.slice(0, -1)) node = node[key] as JsonObject;
  const last = path.at(-1) as string;
  if (value === undefined) delete node[last];
  else node[last] = value;
  return copy;
}
