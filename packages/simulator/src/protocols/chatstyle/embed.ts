import * as z from "zod";
import { firstFinding } from "../../check/finding.ts";
import { countTokens, MEDIA_TOKENS } from "../../content/tokens.ts";
import { DEFAULT_DIMENSIONS, toBase64, vectorOf } from "../../model/vector.ts";
import { Refusal } from "../../refusal.ts";
import { imageOf, inlineOf, toRefusal } from "../family.ts";
import type { Call, PlainAnswer } from "../protocol.ts";

const inline = (format: string) => z.strictObject({ data: z.string(), format: z.literal(format).optional() });
const part = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string().min(1) }),
  z.strictObject({ type: z.literal("image_url"), image_url: z.strictObject({ url: z.string() }) }),
  z.strictObject({ type: z.literal("input_audio"), input_audio: inline("wav") }),
  z.strictObject({ type: z.literal("input_video"), input_video: inline("mp4") }),
  z.strictObject({ type: z.literal("input_file"), input_file: inline("pdf") }),
]);
type Part = z.infer<typeof part>;

const tokens = z.array(z.int().min(0)).min(1);
const many = z.array(z.string().min(1)).min(1).max(2048);
const schema = z.strictObject({
  model: z.string().min(1),
  input: z.union([
    z.string().min(1),
    many,
    tokens,
    z.array(tokens).min(1).max(2048),
    z
      .array(z.strictObject({ content: z.array(part).min(1) }))
      .min(1)
      .max(2048),
  ]),
  dimensions: z.int().min(1).max(4096).nullish(),
  encoding_format: z.enum(["float", "base64"]).nullish(),
  input_type: z.string().optional(),
  user: z.string().optional(),
});

interface Input {
  text: string;
  tokens: number;
}

const raw = (data: string): string => data.replace(/^data:[^,]*,/, "");

function partOf(one: Part, at: string): Input {
  switch (one.type) {
    case "text":
      return { text: one.text, tokens: countTokens(one.text) };
    case "image_url":
      imageOf(one.image_url.url, `${at}.image_url.url`);
      return { text: one.image_url.url, tokens: MEDIA_TOKENS.image };
    case "input_audio":
      inlineOf("audio", "audio/wav", raw(one.input_audio.data), `${at}.input_audio.data`);
      return { text: one.input_audio.data, tokens: MEDIA_TOKENS.audio };
    case "input_video":
      inlineOf("video", "video/mp4", raw(one.input_video.data), `${at}.input_video.data`);
      return { text: one.input_video.data, tokens: MEDIA_TOKENS.video };
    case "input_file":
      inlineOf("document", "application/pdf", raw(one.input_file.data), `${at}.input_file.data`);
      return { text: one.input_file.data, tokens: MEDIA_TOKENS.document };
  }
}

function inputsOf(input: z.infer<typeof schema>["input"], model: string): Input[] {
  const list = typeof input === "string" || typeof input[0] === "number" ? [input] : input;
  return (list as (string | number[] | { content: Part[] })[]).map((one, index) => {
    if (typeof one === "string") return { text: one, tokens: countTokens(one) };
    if (Array.isArray(one)) return { text: one.join(" "), tokens: one.length };
    if (!model.includes("multimodal"))
      throw new Refusal(
        "invalid",
        `The model '${model}' embeds text only; 'input[${index}].content' is not accepted.`,
        {
          field: `input[${index}]`,
        },
      );
    const parts = one.content.map((inner, position) => partOf(inner, `input[${index}].content[${position}]`));
    return {
      text: parts.map((inner) => inner.text).join("\n"),
      tokens: parts.reduce((sum, inner) => sum + inner.tokens, 0),
    };
  });
}

/** One vector per input, in order. */
export function embed(input: unknown, _call: Call): PlainAnswer {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw toRefusal(firstFinding(parsed.error, input));
  const { model, dimensions, encoding_format } = parsed.data;
  const inputs = inputsOf(parsed.data.input, model);
  const total = inputs.reduce((sum, one) => sum + one.tokens, 0);
  const data = inputs.map(({ text }, index) => {
    const vector = vectorOf(text, dimensions ?? DEFAULT_DIMENSIONS);
    return {
      object: "embedding",
      index,
      embedding: encoding_format === "base64" ? toBase64(vector) : vector,
    };
  });
  return {
    text: inputs.map(({ text }) => text).join("\n"),
    input: total,
    write: (usage) => ({
      object: "list",
      data,
      model,
      ...(usage ? { usage: { prompt_tokens: total, total_tokens: total } } : {}),
    }),
  };
}
