import { isSound } from "../../../family/counts.ts";
import { toCount } from "../../../ir/usage.ts";
import {
  compact,
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toArray,
  toObject,
} from "../../../json/json.ts";
import type { EmbedReply, EmbedRequest, EmbedUsage } from "../ir.ts";
import { toVector, vectorToBase64 } from "../vector.ts";

/** The usage; undefined where a figure is malformed, because a figure read as 0 would not be charged. */
function readUsage(value: Json | undefined): EmbedUsage | undefined {
  const usage = toObject(value);
  const details = toObject(usage.prompt_tokens_details);
  const input = toCount(usage.prompt_tokens ?? usage.total_tokens);
  if (input === undefined || !isSound(usage, details)) return undefined;
  return compact<EmbedUsage>({
    input,
    imageInput: toCount(details.image_tokens),
    audioInput: toCount(details.audio_tokens),
    videoInput: toCount(details.video_tokens),
    upstreamUsd: toDollars(usage.cost),
  });
}

const toDollars = (value: Json | undefined): number | undefined => {
  const cost = numberOf(value);
  return cost !== undefined && cost >= 0 ? cost : undefined;
};

function writeUsage({ input, imageInput, audioInput, videoInput }: EmbedUsage): JsonObject {
  const details = Object.entries({
    image_tokens: imageInput,
    audio_tokens: audioInput,
    video_tokens: videoInput,
  }).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return {
    prompt_tokens: input,
    total_tokens: input,
    ...(details.length > 0 && { prompt_tokens_details: Object.fromEntries(details) }),
  };
}

/** The answer of the list family: `{ object, data: [{ object, index, embedding }], model, usage }`. */
export const listReply = {
  decode(body: Json): EmbedReply {
    const { data, usage, model } = toObject(body);
    // Some upstreams answer one vector as an object, and some answer the vectors out of order.
    const items = (isObject(data) ? [data] : toArray(data)).map((value, i) => {
      const item = toObject(value);
      return { at: numberOf(item.index) ?? i, vector: toVector(item.embedding) };
    });
    items.sort((a, b) => a.at - b.at);
    return compact<EmbedReply>({
      vectors: items.map((item) => item.vector),
      usage: readUsage(usage),
      model: textOf(model),
    });
  },
  encode(reply: EmbedReply, request: EmbedRequest): JsonObject {
    const spell = (vector: number[]): Json =>
      request.encoding === "base64" ? vectorToBase64(vector) : vector;
    return {
      object: "list",
      data: reply.vectors.map((vector, index) => ({ object: "embedding", index, embedding: spell(vector) })),
      model: request.model,
      usage: writeUsage(reply.usage ?? { input: 0 }),
    };
  },
};
