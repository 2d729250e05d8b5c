import type * as z from "zod";
import { checked } from "../../check/body.ts";
import { readDataUrl, sniff } from "../../check/media.ts";
import { pictureSize } from "../../check/picture.ts";
import { checkRules } from "../../check/rule.ts";
import { countTokens } from "../../content/tokens.ts";
import { make, publish } from "../../media/media-store.ts";
import { type Picture, pictureOf, sizeOf } from "../../media/picture.ts";
import { Refusal } from "../../refusal.ts";
import { isVariant } from "../../variants.ts";
import { imageOf, toRefusal } from "../family.ts";
import type { AcceptedRequest, MediaCall } from "../protocol.ts";
import { costOf, type Options, optionRules } from "./image-rules.ts";
import { edit, form, generation, old, type reference } from "./image-schema.ts";
import { type GeneratedImages, type ImageKind, streamImages, writeImages } from "./image-write.ts";

const ERRORS = { moderation: "moderation_blocked", internal: "server_error" };
const SQUARE = [1024, 1024] as const;
/** Output tokens of a preview. */
const PREVIEW = 100;
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

function referenceTokens(image: z.infer<typeof reference>, field: string): number {
  if ("file_id" in image)
    throw new Refusal("missing", `No such File object: ${image.file_id}`, { field, code: "file_not_found" });
  imageOf(image.image_url, `${field}.image_url`);
  const data = readDataUrl(image.image_url);
  return data ? inputTokens(data.bytes, `${field}.image_url`) : UNSEEN;
}

function produce(call: MediaCall, options: Options, kind: ImageKind, images: number): AcceptedRequest {
  checkRules(optionRules, options, call);
  const { size = "auto", output_format: format = "png", partial_images = 0, stream = false } = options;
  return {
    text: options.prompt,
    stream,
    answer: (outcome, withUsage) => {
      const wanted = outcome.size ?? sizeOf(size) ?? SQUARE;
      const count = outcome.images ?? options.n ?? 1;
      const alpha = options.background === "transparent" ? 0 : 255;
      const draw = (seed: string) => pictureOf(format, wanted, `${call.hash} ${seed}`, outcome, alpha);
      const pictures = Array.from({ length: count }, (_, index) => draw(String(index)));
      const previews = stream ? partial_images : 0;
      const input = countTokens(options.prompt) + images;
      const output = costOf(options, wanted) * count + previews * PREVIEW;
      make(call, {
        outcome,
        errors: ERRORS,
        make: () => ({
          outputs: pictures.map((one) => one.output),
          billed: { images: count, input_tokens: input, output_tokens: output },
        }),
      });
      const encode = (one: Picture): string => one.bytes().toString("base64");
      const made: GeneratedImages = {
        kind,
        options,
        created: Math.floor(call.now / 1000),
        size: wanted.join("x"),
        images: outcome.silent ? [] : pictures.map(encode),
        previews: Array.from({ length: previews }, (_, index) => encode(draw(`preview ${index}`))),
        ...(withUsage ? { usage: { input, output, images } } : {}),
      };
      const usage = { input, output };
      if (stream) return { usage, chunks: streamImages(made), framing: "events" };
      return { usage, body: writeImages(made) };
    },
  };
}

const HOUR = 3600;

function legacy(call: MediaCall): AcceptedRequest {
  const options = checked(old, call.body, toRefusal);
  const { n = 1, size = "1024x1024", response_format = "url", prompt } = options;
  return {
    text: prompt,
    answer: (outcome) => {
      const pictures = Array.from({ length: n }, (_, index) =>
        pictureOf("png", sizeOf(size)!, `${call.hash} ${index}`, outcome),
      );
      const outputs = pictures.map(({ output }) => output);
      const job = make(call, { outcome, errors: ERRORS, make: () => ({ outputs, billed: { images: n } }) });
      const data = pictures.map(({ output, bytes }) =>
        response_format === "url"
          ? { url: publish(call, { job, output, bytes, lifetime: HOUR }), revised_prompt: prompt }
          : { b64_json: bytes().toString("base64"), revised_prompt: prompt },
      );
      return { body: { created: Math.floor(call.now / 1000), data } };
    },
  };
}

/** Pictures from a text, whole or with previews on the way. */
export function generateImages(call: MediaCall): AcceptedRequest {
  if (isVariant(call.model, "-old")) return legacy(call);
  return produce(call, checked(generation, call.body, toRefusal), "image_generation", 0);
}

/** Pictures from a text and other pictures, sent as a form or as JSON. */
export function editImages(call: MediaCall): AcceptedRequest {
  if (call.headers["content-type"]?.startsWith("multipart/")) {
    const options = checked(form, call.body, toRefusal);
    const files = [...(options.image ?? []), ...(options["image[]"] ?? [])];
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
    const tokens = [...files, ...(options.mask ?? [])].map(({ bytes }) => inputTokens(bytes, "image"));
    return produce(
      call,
      options,
      "image_edit",
      tokens.reduce((sum, one) => sum + one, 0),
    );
  }
  const options = checked(edit, call.body, toRefusal);
  const tokens = options.images.map((one, index) => referenceTokens(one, `images[${index}]`));
  if (options.mask) tokens.push(referenceTokens(options.mask, "mask"));
  return produce(
    call,
    options,
    "image_edit",
    tokens.reduce((sum, one) => sum + one, 0),
  );
}
