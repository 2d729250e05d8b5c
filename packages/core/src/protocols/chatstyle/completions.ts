import * as z from "zod";
import type { Codec } from "../../codec/codec.ts";
import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { chain, each } from "../../codec/machine.ts";
import { readParams } from "../../codec/params.ts";
import type { Message } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, toArray, toObject, toText } from "../../json/json.ts";
import { billing } from "./billing.ts";
import { decodeReply } from "./decode.ts";
import { chatstyle } from "./index.ts";
import { params } from "./params.ts";
import type { Body, Chunk } from "./schema.ts";
import { summarize } from "./summary.ts";

const schema = z.looseObject({
  model: z.string().min(1),
  prompt: z.union([z.string(), z.array(z.unknown())]).nullish(),
  suffix: z.string().nullish(),
  stream: z.boolean().nullish(),
});
type Wire = z.infer<typeof schema>;

/** Chunks of text as those of a chat: what is read of a reply is the same. */
const toChat = (chunk: Json): Json =>
  isObject(chunk) && Array.isArray(chunk.choices)
    ? { ...chunk, choices: toArray(chunk.choices).map(toDelta) }
    : chunk;

function toDelta(json: Json): Json {
  const { text, ...choice } = toObject(json);
  return typeof text === "string" ? { ...choice, delta: { content: text } } : json;
}

/**
 * A wire that goes on with a text, or fills the gap before its suffix: the chat family's older sister. It is only passed
 * through to providers that have the endpoint, so nothing is written in it but what it was read from.
 */
const completing = (path: string): Codec<Wire, Chunk, Body> => ({
  ...chatstyle,
  billing: { ...billing, members: [...billing.members, "echo", "prompt", "suffix"] },
  unfetched: defineUnfetched(["prompt", "suffix"], ["metadata"], params),
  endpoint: () => path,
  request: {
    schema,
    decode(wire) {
      const record = wire as JsonObject;
      const texts = [record.prompt, record.suffix].flatMap((value) =>
        (Array.isArray(value) ? value : [value ?? ""]).map((one) => toText(one)),
      );
      const parts = texts.filter((text) => text !== "").map((text) => ({ type: "text" as const, text }));
      const message: Message = { role: "user", parts };
      return {
        model: wire.model,
        stream: wire.stream === true,
        messages: [message],
        params: readParams(params, record),
      };
    },
    encode: ({ model, stream, messages }) => ({
      model,
      stream,
      prompt: messages
        .flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")))
        .join(""),
    }),
  },
  reply: {
    ...chatstyle.reply,
    decode: () =>
      chain(
        each((chunk: Json) => [toChat(chunk)]),
        decodeReply(),
      ),
    summary: (body) => summarize(toChat(body)),
    burst: (body) => chatstyle.reply.burst(toChat(body)),
    content: [...chatstyle.reply.content, "text"],
  },
});

/** The endpoints that complete a text: in general, and between what stands before and behind. */
export const completions = completing("/completions");
export const fillInTheMiddle = completing("/fim/completions");
