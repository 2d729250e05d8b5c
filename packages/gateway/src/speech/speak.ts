import {
  estimateSpeak,
  planSpeak,
  type SpeakCodec,
  type SpeakRequest,
  speakOperation,
} from "@manifold-gateway/core/operations";
import { pseudonymOf } from "../jobs/keys.ts";
import type { Operation, OperationAsk } from "../operations/operation.ts";
import type { Context } from "../ports/context.ts";
import { replySpeech } from "./reply.ts";

/** A request for speech. */
export interface SpeakAsk extends OperationAsk<SpeakCodec> {
  /** The caller, by whom voices and the end user are found. */
  asker?: Pick<Parameters<typeof planSpeak>[1], "voices"> & { user: string };
}

/** Speech while the caller waits, as an operation. Jobs of speech have a wire of their own: see `media`. */
export const speak: Operation<SpeakRequest, SpeakCodec, SpeakAsk, "id" | "media"> = {
  wires: speakOperation,
  makes: "speech",
  modality: "audio",
  observed: "speech",
  firstByte: 600_000,
  gather: async ({ services, caller }: Context<"media">, ask) => ({
    ...ask,
    asker: { voices: services.media?.voices ?? [], user: pseudonymOf(caller.accountId) },
  }),
  // Models of conversations speak in conversations.
  can: (_, { outputModalities }) => !outputModalities.includes("text"),
  streams: () => true,
  plan: ({ asker }, source, target, options) =>
    planSpeak(source, { ...target, ...asker }, { ...options, ...(asker && { user: asker.user }) }),
  send: (_, planned, { codec, model }, { value }) => ({
    body: JSON.stringify(value),
    headers: {
      accept: "audio/*, text/event-stream, application/json",
      ...codec.headers?.({ ...planned.request, model }, crypto.randomUUID()),
    },
  }),
  estimate: ({ request }, { codec, model }) => ({
    ...estimateSpeak(request, {
      tokensPerSecond: codec.tokensPerSecond,
      longest: codec.longestFor?.(model),
    }),
    estimated: true,
  }),
  reply: replySpeech,
};
