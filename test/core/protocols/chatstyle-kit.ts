import { readdirSync, readFileSync } from "node:fs";
import { run } from "../../../packages/core/src/codec/machine.ts";
import type { Traits } from "../../../packages/core/src/codec/traits.ts";
import { chatExtensions } from "../../../packages/core/src/family/extensions.ts";
import {
  type Event,
  fold,
  type Message,
  type Reply,
  type TextRequest,
} from "../../../packages/core/src/ir/index.ts";
import { collectLosses, ignoreLosses } from "../../../packages/core/src/ir/loss.ts";
import type { Json, JsonObject } from "../../../packages/core/src/json/json.ts";
import { type ChatChunk, chatstyle } from "../../../packages/core/src/protocols/chatstyle/index.ts";

export const head = { id: "h1", model: "asked", created: 5 };
export const folder = new URL("../../../packages/testing/fixtures/chatstyle/", import.meta.url);
export const names = (kind: string) => readdirSync(new URL(`${kind}/`, folder));
export const text = (kind: string, name: string) => readFileSync(new URL(`${kind}/${name}`, folder), "utf8");
export const chunksOf = (name: string): Json[] =>
  text("streams", name)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);

/** A server that takes all that the wire has ever been given. */
export const lenient: Traits = {
  reasoningBack: true,
  resultMedia: true,
  extensions: chatExtensions,
};

export const decode = (wire: object): TextRequest =>
  chatstyle.request.decode(chatstyle.request.schema.parse(wire));
export const encode = (request: Partial<TextRequest>, traits: Traits = {}) => {
  const { losses, lose } = collectLosses();
  const whole = { model: "m", stream: false, messages: [], params: {}, ...request };
  return { wire: chatstyle.request.encode(whole, lose, traits) as JsonObject, losses };
};
export const messagesOf = (messages: Message[], traits: Traits = {}) => encode({ messages }, traits);
export const reply = (chunks: Json[]): Reply => fold(run(chatstyle.reply.decode(), chunks));
export const write = (events: Event[]): ChatChunk[] =>
  run(chatstyle.reply.encode(head, ignoreLosses), events);
export const delta = (fields: JsonObject, finish: string | null = null, index = 0): Json => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "up",
  choices: [{ index, delta: fields, finish_reason: finish }],
});
export const parts = (chunks: Json[]) => reply(chunks).choices[0]?.parts;
