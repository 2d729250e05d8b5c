import * as z from "zod";
import { checked } from "../../check/body.ts";
import type { Upload } from "../../check/form.ts";
import { readDataUrl, sniff } from "../../check/media.ts";
import { pictureSize } from "../../check/picture.ts";
import { hold } from "../../check/rule.ts";
import { pictureOf, sizeOf } from "../../media/picture.ts";
import { make, publish } from "../../media/studio.ts";
import type { Outcome } from "../../outcomes.ts";
import { Refusal } from "../../refusal.ts";
import { countTokens } from "../../tokens.ts";
import { isVariant } from "../../variants.ts";
import { imageOf, spell } from "../family.ts";
import type { Asked, Chunk, MediaCall } from "../protocol.ts";
import { costOf, type Options, optionRules } from "./imageRules.ts";

const number = z.coerce.number().pipe(z.int());
const bool = z.preprocess(
  (value) => (value === "true" ? true : value === "false" ? false : value),
  z.boolean(),
);

const options = {
  model: z.string().min(1),
  prompt: z.string().min(1).max(32_000),
  n: number.pipe(z.int().min(1).max(10)).optional(),
  size: z.string().optional(),
  quality: z.enum(["auto", "low", "medium", "high", "xhigh", "max"]).optional(),
  output_format: z.enum(["png", "jpeg", "webp"]).optional(),
  output_compression: number.pipe(z.int().min(0).max(100)).optional(),
  background: z.enum(["auto", "opaque", "transparent"]).optional(),
  stream: bool.optional(),
  partial_images: number.pipe(z.int().min(0).max(3)).optional(),
  user: z.string().optional(),
};
const generation = z.strictObject({ ...options, moderation: z.enum(["auto", "low"]).optional() });
const reference = z.union([
  z.strictObject({ image_url: z.string() }),
  z.strictObject({ file_id: z.string() }),
]);
const edited = { ...options, input_fidelity: z.enum(["low", "high"]).optional() };
const edit = z.strictObject({
  ...edited,
  images: z.array(reference).min(1).max(16),
  mask: reference.optional(),
});
const upload = z.custom<Upload[]>(Array.isArray, "expected a file");
const form = z.strictObject({
  ...edited,
  image: upload.optional(),
  "image[]": upload.optional(),
  mask: upload.optional(),
});
/** What older servers know instead. */
const old = z.strictObject({
  model: options.model,
  prompt: z.string().min(1).max(4000),
  n: z.int().min(1).max(10).optional(),
  size: z.enum(["256x256", "512x512", "1024x1024", "1792x1024", "1024x1792"]).optional(),
  quality: z.enum(["standard", "hd"]).optional(),
  style: z.enum(["vivid", "natural"]).optional(),
  response_format: z.enum(["url", "b64_json"]).optional(),
  user: z.string().optional(),
});

const ERRORS = { moderation: "moderation_blocked", internal: "server_error" };
const MOST = 50 * 1024 * 1024;
const TYPES = ["image/png", "image/jpeg", "image/webp"];

function inputTokens(bytes: Buffer, field: string): number {
  const type = sniff(bytes) ?? "unknown";
  if (!TYPES.includes(type))
    throw new Refusal(
      "invalid",
      `Invalid file '${field}': unsupported mimetype ('${type}'). Supported: ${TYPES.join(", ")}.`,
      {
        field,
        code: "unsupported_file_mimetype",
      },
    );
  if (bytes.length >= MOST)
    throw new Refusal("invalid", `Invalid file '${field}': larger than 50 MB.`, {
      field,
      code: "image_too_large",
    });
  const { width, height } = pictureSize(type, bytes) ?? { width: 1024, height: 1024 };
  return Math.min(1536, Math.ceil(width / 32) * Math.ceil(height / 32));
}

const UNSEEN = 1024;

function referenceTokens(given: z.infer<typeof reference>, field: string): number {
  if ("file_id" in given)
    throw new Refusal("missing", `No such File object: ${given.file_id}`, { field, code: "file_not_found" });
  imageOf(given.image_url, `${field}.image_url`);
  const data = readDataUrl(given.image_url);
  return data ? inputTokens(data.bytes, `${field}.image_url`) : UNSEEN;
}

type Kind = "image_generation" | "image_edit";

function produce(call: MediaCall, asked: Options, kind: Kind, images: number): Asked {
  hold(optionRules, asked, call);
  const { size = "auto", output_format: format = "png", partial_images = 0, stream = false } = asked;
  const run = (outcome: Outcome, withUsage: boolean): ReturnType<Asked["answer"]> => {
    const text = countTokens(asked.prompt);
    const count = outcome.images ?? asked.n ?? 1;
    const size_ = outcome.size ?? sizeOf(size) ?? ([1024, 1024] as const);
    const output = costOf(asked, size_) * count + (stream ? partial_images * 100 : 0);
    const usage = {
      input_tokens: text + images,
      output_tokens: output,
      total_tokens: text + images + output,
      input_tokens_details: { text_tokens: text, image_tokens: images },
      output_tokens_details: { image_tokens: output, text_tokens: 0 },
    };
    const alpha = asked.background === "transparent" ? 0 : 255;
    const picture = (seed: string) => pictureOf(format, size_, seed, outcome, alpha);
    const pictures = Array.from({ length: count }, (_, index) => picture(`${call.hash} ${index}`));
    make(call, {
      outcome,
      errors: ERRORS,
      make: () => ({
        outputs: pictures.map((one) => one.output),
        billed: { images: count, input_tokens: text + images, output_tokens: output },
      }),
    });
    const { output: shown } = picture("");
    const echo = {
      background: asked.background === "transparent" ? "transparent" : "opaque",
      output_format: format,
      quality: asked.quality ?? "auto",
      size: `${shown.width}x${shown.height}`,
    };
    const created = Math.floor(call.now / 1000);
    const b64 = pictures.map((one) => one.bytes().toString("base64"));
    const counts = { input: text + images, output };
    const told = withUsage ? { usage } : {};
    if (!stream)
      return {
        usage: counts,
        body: {
          created,
          ...echo,
          data: outcome.silent ? [] : b64.map((b64_json) => ({ b64_json })),
          ...told,
        },
      };
    const partials = Array.from({ length: partial_images }, (_, index): Chunk => {
      const type = `${kind}.partial_image`;
      const b64_json = picture(`${call.hash} partial ${index}`).bytes().toString("base64");
      const data = { type, b64_json, partial_image_index: index, created_at: created, ...echo };
      return { event: type, data, part: "content" };
    });
    const type = `${kind}.completed`;
    const ends = b64.map(
      (b64_json): Chunk => ({
        event: type,
        data: { type, b64_json, created_at: created, ...echo, ...told },
        part: "done",
      }),
    );
    return { usage: counts, chunks: [...partials, ...ends], framing: "events" };
  };
  return { text: asked.prompt, stream, answer: run };
}

const HOUR = 3600;

function legacy(call: MediaCall): Asked {
  const asked = checked(old, call.body, spell);
  const { n = 1, size = "1024x1024", response_format = "url", prompt } = asked;
  return {
    text: prompt,
    answer: (outcome) => {
      const pictures = Array.from({ length: n }, (_, index) =>
        pictureOf("png", sizeOf(size)!, `${call.hash} ${index}`, outcome),
      );
      const outputs = pictures.map(({ output }) => output);
      const work = make(call, { outcome, errors: ERRORS, make: () => ({ outputs, billed: { images: n } }) });
      const data = pictures.map(({ output, bytes }) =>
        response_format === "url"
          ? { url: publish(call, { work, output, bytes, lifetime: HOUR }), revised_prompt: prompt }
          : { b64_json: bytes().toString("base64"), revised_prompt: prompt },
      );
      return { body: { created: Math.floor(call.now / 1000), data } };
    },
  };
}

/** Pictures from a text, whole or with previews on the way. */
export function generateImages(call: MediaCall): Asked {
  if (isVariant(call.model, "-old")) return legacy(call);
  return produce(call, checked(generation, call.body, spell), "image_generation", 0);
}

/** Pictures from a text and other pictures, sent as a form or as JSON. */
export function editImages(call: MediaCall): Asked {
  if (call.headers["content-type"]?.startsWith("multipart/")) {
    const asked = checked(form, call.body, spell);
    const files = [...(asked.image ?? []), ...(asked["image[]"] ?? [])];
    if (files.length === 0)
      throw new Refusal("invalid", "Missing required parameter: 'image'.", {
        field: "image",
        code: "missing_required_parameter",
      });
    if (files.length > 16)
      throw new Refusal(
        "invalid",
        `Invalid 'image': array too long. Expected an array with maximum length 16, but got an array with length ${files.length} instead.`,
        {
          field: "image",
          code: "array_above_max_length",
        },
      );
    const tokens = [...files, ...(asked.mask ?? [])].map(({ bytes }) => inputTokens(bytes, "image"));
    return produce(
      call,
      asked,
      "image_edit",
      tokens.reduce((sum, one) => sum + one, 0),
    );
  }
  const asked = checked(edit, call.body, spell);
  const tokens = asked.images.map((one, index) => referenceTokens(one, `images[${index}]`));
  if (asked.mask) tokens.push(referenceTokens(asked.mask, "mask"));
  return produce(
    call,
    asked,
    "image_edit",
    tokens.reduce((sum, one) => sum + one, 0),
  );
}
