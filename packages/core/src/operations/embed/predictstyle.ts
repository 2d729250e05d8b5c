import { extraFor } from "../../ir/extra.ts";
import type { Lose } from "../../ir/loss.ts";
import { toCount } from "../../ir/usage.ts";
import { compact, type Json, type JsonObject, toArray, toObject } from "../../json/json.ts";
import { noCaller } from "../no-caller.ts";
import type { EmbedCodec } from "./codec.ts";
import { genstyleEmbed } from "./genstyle/index.ts";
import type { EmbedInput, EmbedReply, EmbedRequest } from "./ir.ts";
import { toVector } from "./vector.ts";

const { protocol } = genstyleEmbed;

/** The models that embed one input a call. */
const isSingle = ({ model }: EmbedRequest): boolean => /gemini|maas/.test(model);
/** Those of them that take a content by `:embedContent`; the others take texts by `:predict`. */
const takesContent = (request: EmbedRequest): boolean =>
  isSingle(request) && request.model !== "gemini-embedding-001";

/** The most texts of a call, and the most tokens of all of them together; a token has three bytes or more. */
const MOST = { texts: 250, bytes: 3 * 20_000 };

const bytesOf = (input: EmbedInput): number =>
  "tokens" in input ? 0 : new TextEncoder().encode(JSON.stringify(input.parts)).length;

/** How a text is to be embedded, in the words of a prediction, and the other members. */
function tasksOf({ taskType, task_type = taskType, title, ...others }: JsonObject) {
  return { task: compact<JsonObject>({ task_type, title } as JsonObject), others };
}

function textOf(input: EmbedInput, lose: Lose, path: string): string {
  if ("tokens" in input) {
    lose(path, "unsupported", "the target has no token ids");
    return "";
  }
  const texts = input.parts.flatMap((part, j) => {
    if (part.type === "text") return part.text;
    lose(`${path}/parts/${j}`, "unsupported", `the model embeds text only, not ${part.kind}`);
    return [];
  });
  if (texts.length > 1) lose(`${path}/parts`, "approximated", "texts are joined by line ends");
  return texts.join("\n");
}

function predict(request: EmbedRequest, lose: Lose): JsonObject {
  const { task, others } = tasksOf(extraFor(protocol, request.extra, lose, ""));
  if (request.user !== undefined) lose("/user", "unsupported");
  const instances = request.inputs.map((input, i): JsonObject => {
    const path = `/inputs/${i}`;
    const fields = "tokens" in input ? {} : extraFor(protocol, input.extra, lose, path);
    const { task: inputTask, others } = tasksOf(fields);
    return { ...others, ...task, ...inputTask, content: textOf(input, lose, path) };
  });
  const { dimensions } = request;
  const parameters = { ...others, ...(dimensions !== undefined && { outputDimensionality: dimensions }) };
  return { instances, ...(Object.keys(parameters).length > 0 && { parameters }) };
}

function readPredictions(predictions: readonly Json[]): EmbedReply {
  const read = predictions.map((one) => toObject(toObject(one).embeddings));
  const counts = read.map(({ statistics }) => toCount(toObject(statistics).token_count));
  const isCounted = counts.every((count) => count !== undefined);
  return {
    vectors: read.map(({ values }) => toVector(values)),
    ...(isCounted && { usage: { input: counts.reduce<number>((sum, count) => sum + (count ?? 0), 0) } }),
  };
}

/**
 * Embeddings of a platform that serves models by predictions: texts in a list by `:predict`, and of newer models one
 * content a call by `:embedContent`.
 */
export const predictstyleEmbed: EmbedCodec = {
  ...genstyleEmbed,
  endpoint: (request) => `/models/${request.model}:${takesContent(request) ? "embedContent" : "predict"}`,
  most: MOST.texts,
  mostOf(request) {
    if (isSingle(request)) return 1;
    const longest = Math.max(1, ...request.inputs.map(bytesOf));
    return Math.max(1, Math.min(MOST.texts, Math.floor(MOST.bytes / longest)));
  },
  request: {
    schema: noCaller.schema,
    decode: noCaller.decode,
    encode(request, lose) {
      if (!takesContent(request)) return predict(request, lose);
      // The path names the model, and no member may do so.
      const { batch: _, ...one } = request;
      const { model: _m, ...body } = genstyleEmbed.request.encode(one, lose);
      return body;
    },
  },
  reply: {
    decode(body) {
      const { predictions } = toObject(body);
      return predictions === undefined
        ? genstyleEmbed.reply.decode(body)
        : readPredictions(toArray(predictions));
    },
    encode: noCaller.encode,
  },
};
