import { checked } from "../../check/body.ts";
import { checkRules } from "../../check/rule.ts";
import type { MediaJobError } from "../../media/media-jobs.ts";
import { begin, publish } from "../../media/media-store.ts";
import { type Picture, pictureOf, sizeOf } from "../../media/picture.ts";
import { Refusal } from "../../refusal.ts";
import type { Outcome } from "../../script/outcomes.ts";
import type { AcceptedRequest, Chunk, MediaCall } from "../protocol.ts";
import { toRefusal } from "./errors.ts";
import { type ImageModel, imageModel, TIERS } from "./image-models.ts";
import { type Body, imagesOf, most, rules, schema } from "./image-rules.ts";
import { checkImage } from "./media.ts";

export const IMAGE_ERRORS = {
  moderation: "OutputImageSensitiveContentDetected",
  internal: "InternalServiceError",
};
const DAY = 24 * 3600;
const LIMITS = { edges: [14, 1_000_000], ratio: [1 / 16, 16], pixels: 36_000_000 } as const;

interface Member {
  picture: Picture;
  error?: MediaJobError;
}

/** The members of a group: those that moderation takes out leave a gap, an internal error ends it. */
function membersOf(call: MediaCall, body: Body, model: ImageModel, outcome: Outcome): Member[] {
  const format = body.output_format ?? "jpeg";
  const edge = TIERS[body.size ?? (model.tiers.includes("2K") ? "2K" : (model.tiers[0] ?? "1K"))] ?? 0;
  const size = sizeOf(body.size ?? "") ?? ([edge, edge] as const);
  const { stop, items = [] } = outcome;
  const count = outcome.silent ? 0 : Math.min(outcome.images ?? most(body), 15);
  return Array.from({ length: stop === undefined ? count : Math.min(count, stop + 1) }, (_, index) => {
    const picture = pictureOf(format, size, `${call.hash} ${index}`, outcome);
    if (index === stop) return { picture, error: errorOf(IMAGE_ERRORS.internal) };
    return items.includes(index) ? { picture, error: errorOf(IMAGE_ERRORS.moderation) } : { picture };
  });
}

const errorOf = (code: string): MediaJobError => ({ code, message: "The image could not be generated." });

/** Images from a text and other images: one, or a group whose members fail by themselves. */
export function generateImages(call: MediaCall): AcceptedRequest {
  const body = checked(schema, call.body, toRefusal);
  const model = imageModel(call.model);
  checkRules(rules, body, model);
  for (const [index, url] of imagesOf(body).entries())
    checkImage(url, typeof body.image === "string" ? "image" : `image[${index}]`, LIMITS);
  const created = Math.floor(call.now / 1000);
  return {
    text: body.prompt,
    stream: body.stream === true,
    answer: (outcome, withUsage) => {
      const members = membersOf(call, body, model, outcome);
      const made = members.filter(({ error }) => !error);
      const pixels = made.reduce((sum, { picture: { output } }) => sum + output.width * output.height, 0);
      const tokens = Math.floor(pixels / 256);
      const billed = { generated_images: made.length, output_tokens: tokens };
      const outputs = members.map(({ picture, error }) => ({
        ...picture.output,
        ...(error ? { error } : {}),
      }));
      const job = begin(call, { outcome, errors: IMAGE_ERRORS, make: () => ({ outputs, billed }) });
      call.mediaStore.jobs.finish(job, call.now);
      if (job.state !== "succeeded") {
        const { code = "InternalServiceError", message = job.state } = job.error ?? {};
        throw new Refusal(code === IMAGE_ERRORS.internal ? "internal" : "invalid", message, { code });
      }
      const item = ({ picture, error }: Member, index: number) => {
        if (error) return { error };
        const { width, height } = picture.output;
        const shown =
          body.response_format === "b64_json"
            ? { b64_json: picture.bytes().toString("base64") }
            : { url: publish(call, { job, output: outputs[index]!, bytes: picture.bytes, lifetime: DAY }) };
        const format = model.formats.length > 1 ? { output_format: body.output_format ?? "jpeg" } : {};
        return { ...shown, size: `${width}x${height}`, ...format };
      };
      const usage = { ...billed, total_tokens: tokens };
      const usageFields = withUsage ? { usage } : {};
      const head = { model: call.model, created };
      if (!body.stream)
        return { usage: { output: tokens }, body: { ...head, data: members.map(item), ...usageFields } };
      const chunks = members.map((member, image_index): Chunk => {
        const type = `image_generation.partial_${member.error ? "failed" : "succeeded"}`;
        return {
          event: type,
          data: { type, ...head, image_index, ...item(member, image_index) },
          part: "content",
        };
      });
      const type = "image_generation.completed";
      return {
        usage: { output: tokens },
        chunks: [
          ...chunks,
          { event: type, data: { type, ...head, ...usageFields }, part: "done" },
          { data: "[DONE]", part: "done" },
        ],
        framing: "events",
      };
    },
  };
}
