import * as z from "zod";
import { checked } from "../../check/body.ts";
import { decodeBase64 } from "../../check/media.ts";
import { countTokens, MEDIA_TOKENS } from "../../content/tokens.ts";
import { DEFAULT_DIMENSIONS, toBase64, vectorOf } from "../../model/vector.ts";
import type { AcceptedRequest, MediaCall } from "../protocol.ts";
import { bad, toRefusal } from "./errors.ts";

const inline = (formats: [string, ...string[]]) =>
  z.strictObject({ data: z.string().min(1), format: z.enum(formats) });
const part = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string().min(1) }),
  z.strictObject({ type: z.literal("image_url"), image_url: z.strictObject({ url: z.string().min(1) }) }),
  z.strictObject({ type: z.literal("input_audio"), input_audio: inline(["wav", "mp3"]) }),
  z.strictObject({ type: z.literal("input_video"), input_video: inline(["mp4", "mov"]) }),
  z.strictObject({ type: z.literal("input_file"), input_file: inline(["pdf"]) }),
]);
type Part = z.infer<typeof part>;

const tokens = z.array(z.int().min(0)).min(1);
const schema = z.strictObject({
  model: z.string().min(1),
  input: z.union([
    z.string().min(1),
    z.array(z.string().min(1)).min(1).max(2048),
    tokens,
    z.array(tokens).min(1).max(2048),
    z
      .array(z.strictObject({ content: z.array(part).min(1) }))
      .min(1)
      .max(2048),
  ]),
  dimensions: z.int().min(1).max(4096).optional(),
  encoding_format: z.enum(["float", "base64"]).optional(),
  input_type: z.string().optional(),
  provider: z.record(z.string(), z.unknown()).optional(),
  user: z.string().optional(),
});

type Kind = "text" | "image" | "audio" | "video" | "file";
interface Seen {
  text: string;
  kind: Kind;
  tokens: number;
}

const KINDS = { input_audio: "audio", input_video: "video", input_file: "file" } as const;

function seen(one: Part, at: string): Seen {
  if (one.type === "text") return { text: one.text, kind: "text", tokens: countTokens(one.text) };
  if (one.type === "image_url") {
    const { url } = one.image_url;
    if (!/^(https?:\/\/\S+$|data:image\/[\w.+-]+;base64,)/.test(url))
      throw bad(`${at}.image_url.url`, "expected an http(s) URL or a data URL");
    return { text: url, kind: "image", tokens: MEDIA_TOKENS.image };
  }
  const { data } =
    one.type === "input_audio"
      ? one.input_audio
      : one.type === "input_video"
        ? one.input_video
        : one.input_file;
  if (!decodeBase64(data.replace(/^data:[^,]*,/, ""))) throw bad(`${at}.${one.type}.data`, "expected base64");
  const kind = KINDS[one.type];
  return { text: data, kind, tokens: MEDIA_TOKENS[kind === "file" ? "document" : kind] };
}

const DETAIL: Kind[] = ["text", "image", "audio", "video", "file"];
/** USD for a million tokens. */
const PRICE = 0.2;

/** One vector for each input, whatever it is made of. */
export function embed(call: MediaCall): AcceptedRequest {
  const body = checked(schema, call.body, toRefusal);
  const { dimensions = DEFAULT_DIMENSIONS, encoding_format, model } = body;
  const list =
    typeof body.input === "string" || typeof body.input[0] === "number" ? [body.input] : body.input;
  const inputs = (list as (string | number[] | { content: Part[] })[]).map((one, index): Seen[] => {
    if (typeof one === "string") return [{ text: one, kind: "text", tokens: countTokens(one) }];
    if (Array.isArray(one)) return [{ text: one.join(" "), kind: "text", tokens: one.length }];
    return one.content.map((inner, position) => seen(inner, `input[${index}].content[${position}]`));
  });
  const all = inputs.flat();
  if (all.some(({ kind }) => kind !== "text") && !/multimodal|embedding-2|vision/.test(model))
    throw bad("input", `the model ${model} embeds text only`);
  const total = all.reduce((sum, one) => sum + one.tokens, 0);
  return {
    text: all.flatMap(({ kind, text }) => (kind === "text" ? [text] : [])).join("\n"),
    answer: (_, withUsage) => {
      const details = Object.fromEntries(
        DETAIL.map((kind) => [
          `${kind}_tokens`,
          all.filter((one) => one.kind === kind).reduce((sum, one) => sum + one.tokens, 0),
        ]),
      );
      const cost = (total * PRICE) / 1e6;
      const usage = {
        prompt_tokens: total,
        total_tokens: total,
        cost,
        is_byok: false,
        prompt_tokens_details: details,
      };
      const data = inputs.map((parts, index) => {
        const vector = vectorOf(parts.map(({ text }) => text).join("\n"), dimensions);
        return {
          object: "embedding",
          index,
          embedding: encoding_format === "base64" ? toBase64(vector) : vector,
        };
      });
      return {
        usage: { input: total },
        body: {
          id: `gen-emb-${call.hash.slice(0, 16)}`,
          object: "list",
          data,
          model,
          ...(withUsage ? { usage } : {}),
        },
      };
    },
  };
}
