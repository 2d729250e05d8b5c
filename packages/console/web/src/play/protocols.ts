import {
  type AnyCodec,
  chatstyle,
  encodeRequest,
  genstyle,
  type Loss,
  msgstyle,
  native,
  readChunk,
  readFrames,
  responses,
} from "@manifold-gateway/core";
import { translateChunks } from "@manifold-gateway/core/codec";
import { type Draft, toRequest } from "./draft.ts";

/** A protocol as the playground speaks it. */
export interface Spoken {
  name: string;
  codec: AnyCodec;
  /** Where a streamed request goes. */
  path: (model: string) => string;
}

const inPath = (model: string): string => model.split("/").map(encodeURIComponent).join("/");

export const SPOKEN = {
  chat: { name: "Chat", codec: chatstyle, path: () => "/api/chatstyle/v1/chat/completions" },
  messages: { name: "Messages", codec: msgstyle, path: () => "/api/msgstyle/v1/messages" },
  generate: {
    name: "Generate content",
    codec: genstyle,
    path: (model) => `/api/genstyle/v1beta/models/${inPath(model)}:streamGenerateContent?alt=sse`,
  },
  responses: { name: "Responses", codec: responses, path: () => "/api/chatstyle/v1/responses" },
  native: { name: "Native", codec: native, path: () => "/api/v1/text/completions" },
} as const satisfies Record<string, Spoken>;

export type ProtocolName = keyof typeof SPOKEN;

export interface Encoded {
  body: unknown;
  losses: Loss[];
}

/** The draft as a body of a protocol, and what that protocol cannot say of it. */
export function encode(draft: Draft, name: ProtocolName): Encoded {
  const { wire, losses } = encodeRequest(toRequest(draft), SPOKEN[name].codec);
  return { body: wire, losses };
}

/** A body of one protocol as a provider of another would be sent it; nothing where it cannot be read as such. */
export function translated(
  body: object,
  { from, to, ...head }: { from: ProtocolName; to: string; model: string; stream: boolean },
): Encoded | undefined {
  const source: AnyCodec = SPOKEN[from].codec;
  const target = Object.values(SPOKEN).find(({ codec }) => codec.protocol === to)?.codec;
  const read = source.request.schema.safeParse(body);
  if (!target || !read.success) return undefined;
  if (source.protocol === target.protocol) return { body, losses: [] };
  // The path says both where the body does not.
  const { wire, losses } = encodeRequest({ ...source.request.decode(read.data), ...head }, target);
  return { body: wire, losses };
}

/** What arrives while a model answers. */
export interface Piece {
  text?: string;
  reasoning?: string;
  finish?: string;
  usage?: unknown;
  /** What the provider or the service said instead of an answer. */
  error?: string;
}

interface NativeChunk {
  delta?: string;
  reasoning?: string;
  finishReason?: string;
  usage?: unknown;
  error?: { message?: string };
}

/** Reads a stream of any protocol as the pieces of its answer. */
export async function* readAnswer(
  name: ProtocolName,
  bytes: ReadableStream<Uint8Array>,
): AsyncGenerator<Piece, void> {
  const frames = readFrames();
  const head = { id: "playground", model: "", created: 0 };
  const machine = translateChunks({ from: SPOKEN[name].codec, to: native, head });
  for await (const some of bytes)
    for (const frame of frames.step(some))
      for (const chunk of machine.step(readChunk(frame))) yield* toPiece(chunk);
  for (const frame of frames.end()) for (const chunk of machine.step(readChunk(frame))) yield* toPiece(chunk);
  for (const chunk of machine.end()) yield* toPiece(chunk);
}

function toPiece(data: unknown): Piece[] {
  if (typeof data !== "object" || data === null) return [];
  const { delta, reasoning, finishReason, usage, error } = data as NativeChunk;
  return [
    {
      ...(delta && { text: delta }),
      ...(reasoning && { reasoning }),
      ...(finishReason && { finish: finishReason }),
      ...(usage !== undefined && { usage }),
      ...(error && { error: error.message ?? "The answer failed." }),
    },
  ];
}
