import { type AnyCodec, codecs, ignoreLosses, writeChunk } from "@manifold-gateway/core";
import { run } from "@manifold-gateway/core/codec";
import type { UpstreamProtocol } from "@manifold-gateway/providers";
import { answer, conversation } from "./conversation.ts";

/** The paths of callers' requests, by wire. */
const paths = {
  native: () => "/api/v1/text/completions",
  chatstyle: () => "/api/chatstyle/v1/chat/completions",
  responses: () => "/api/chatstyle/v1/responses",
  msgstyle: () => "/api/msgstyle/v1/messages",
  genstyle: (model: string, stream: boolean) =>
    `/api/genstyle/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
};

/** A wire of callers. */
export type CallerWire = keyof typeof paths;
export const CALLER_WIRES = Object.keys(paths) as readonly CallerWire[];

/** A wire of providers whose streams are server-sent events. */
export type ProviderWire = CallerWire & UpstreamProtocol;
export const PROVIDER_WIRES: readonly ProviderWire[] = ["chatstyle", "responses", "msgstyle", "genstyle"];

/** A request as a caller sends it. */
export interface WireRequest {
  path: string;
  body: string;
}

export function requestOf(wire: CallerWire, model: string, stream: boolean): WireRequest {
  const body = codecs[wire].request.encode(conversation(model, stream), ignoreLosses);
  return { path: paths[wire](model, stream), body: JSON.stringify(body) };
}

/** An answer as a provider sends it, in the pieces that it writes. */
export interface WireAnswer {
  type: string;
  pieces: readonly string[];
}

const head = { id: "warm-up", model: "warm-up", created: 0 };

export function answerOf(wire: ProviderWire, stream: boolean): WireAnswer {
  const codec: AnyCodec = codecs[wire];
  const chunks = run(codec.reply.encode(head, ignoreLosses), answer);
  return stream
    ? { type: "text/event-stream", pieces: chunks.map((chunk) => writeChunk(chunk, codec)) }
    : { type: "application/json", pieces: [JSON.stringify(codec.reply.gather(chunks))] };
}
