import * as z from "zod";
import { checked } from "../../check/body.ts";
import { readDataUrl, sniff } from "../../check/media.ts";
import { pictureSize } from "../../check/picture.ts";
import { countTokens, MEDIA_TOKENS } from "../../content/tokens.ts";
import { DEFAULT_DIMENSIONS, toBase64, vectorOf } from "../../model/vector.ts";
import type { AcceptedRequest, MediaCall } from "../protocol.ts";
import { bad, toRefusal } from "./errors.ts";
import { checkImage } from "./media.ts";

const url = z.strictObject({ url: z.string().min(1) });
const schema = z.strictObject({
  model: z.string().min(1),
  input: z
    .array(
      z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("text"), text: z.string().min(1) }),
        z.strictObject({ type: z.literal("image_url"), image_url: url }),
        z.strictObject({
          type: z.literal("video_url"),
          video_url: z.strictObject({ url: z.string().min(1), fps: z.number().min(0.2).max(5).optional() }),
        }),
      ]),
    )
    .min(1),
  dimensions: z.union([z.literal(1024), z.literal(2048)]).optional(),
  encoding_format: z.enum(["float", "base64"]).optional(),
  sparse_embedding: z.strictObject({ type: z.enum(["enabled", "disabled"]) }).optional(),
  instructions: z.string().optional(),
});

const LARGEST = 1312;
const LIMITS = { edges: [14, 1_000_000], ratio: [1 / 100, 100] } as const;

function imageTokens(link: string): number {
  const data = readDataUrl(link);
  const size = data && pictureSize(sniff(data.bytes) ?? "", data.bytes);
  return size ? Math.min(LARGEST, Math.ceil((size.width * size.height) / 784)) : MEDIA_TOKENS.image;
}

/** One vector for all parts together. */
export function embedMultimodal(call: MediaCall): AcceptedRequest {
  const {
    input,
    dimensions = 2048,
    encoding_format,
    sparse_embedding,
  } = checked(schema, call.body, toRefusal);
  const counts = { text_tokens: 0, image_tokens: 0 };
  const texts = input.map((part, index) => {
    if (part.type === "text") {
      counts.text_tokens += countTokens(part.text);
      return part.text;
    }
    const link = part.type === "image_url" ? part.image_url.url : part.video_url.url;
    const field = `input[${index}].${part.type}.url`;
    if (part.type === "image_url") checkImage(link, field, LIMITS);
    else if (!/^(https?:\/\/\S+$|data:video\/)/.test(link))
      throw bad(field, "expected an http(s) URL or a data URL");
    counts.image_tokens += part.type === "image_url" ? imageTokens(link) : MEDIA_TOKENS.video;
    return link;
  });
  const total = counts.text_tokens + counts.image_tokens;
  return {
    text: input.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
    answer: (_, usage) => {
      const vector = vectorOf(texts.join("\n"), dimensions);
      const embedding = encoding_format === "base64" ? toBase64(vector) : vector;
      const sparse =
        sparse_embedding?.type === "enabled" ? { sparse_embedding: [{ index: 1, value: vector[0] }] } : {};
      return {
        usage: { input: total },
        body: {
          id: call.hash.slice(0, 32),
          created: Math.floor(call.now / 1000),
          object: "list",
          model: call.model,
          data: { object: "embedding", embedding, ...sparse },
          ...(usage
            ? { usage: { prompt_tokens: total, total_tokens: total, prompt_tokens_details: counts } }
            : {}),
        },
      };
    },
  };
}

const line = z.string().min(1);
const text = z.strictObject({
  model: line,
  input: z.union([line, z.array(line).min(1).max(256)]),
  dimensions: z.int().min(1).max(4096).optional(),
  encoding_format: z.enum(["float", "base64"]).optional(),
  user: z.string().optional(),
});

/** One vector for each text. */
export function embedText(call: MediaCall): AcceptedRequest {
  const {
    model,
    input,
    dimensions = DEFAULT_DIMENSIONS,
    encoding_format,
  } = checked(text, call.body, toRefusal);
  const inputs = [input].flat();
  const total = inputs.reduce((sum, one) => sum + countTokens(one), 0);
  return {
    text: inputs.join("\n"),
    answer: (_, usage) => {
      const data = inputs.map((one, index) => {
        const vector = vectorOf(one, dimensions);
        const embedding = encoding_format === "base64" ? toBase64(vector) : vector;
        return { object: "embedding", index, embedding };
      });
      const head = {
        id: call.hash.slice(0, 32),
        created: Math.floor(call.now / 1000),
        object: "list",
        model,
      };
      const counts = { prompt_tokens: total, total_tokens: total };
      return { usage: { input: total }, body: { ...head, data, ...(usage ? { usage: counts } : {}) } };
    },
  };
}
