import * as z from "zod";
import { checked } from "../../check/body.ts";
import { hold, type Rule } from "../../check/rule.ts";
import { type Picture, pictureOf, sizeOf } from "../../media/picture.ts";
import { begin, publish } from "../../media/studio.ts";
import type { WorkError } from "../../media/works.ts";
import type { Outcome } from "../../outcomes.ts";
import { Refusal } from "../../refusal.ts";
import type { Asked, Chunk, MediaCall } from "../protocol.ts";
import { spell } from "./errors.ts";
import { type ImageModel, imageModel, TIERS } from "./imageModels.ts";
import { checkImage } from "./media.ts";

const schema = z.strictObject({
  model: z.string().min(1),
  prompt: z.string().min(1),
  image: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  size: z.string().optional(),
  seed: z.int().min(-1).max(2_147_483_647).optional(),
  guidance_scale: z.number().min(1).max(10).optional(),
  watermark: z.boolean().optional(),
  response_format: z.enum(["url", "b64_json"]).optional(),
  output_format: z.enum(["png", "jpeg"]).optional(),
  sequential_image_generation: z.enum(["disabled", "auto"]).optional(),
  sequential_image_generation_options: z
    .strictObject({ max_images: z.int().min(1).max(15).optional() })
    .optional(),
  optimize_prompt_options: z
    .strictObject({
      mode: z.enum(["standard", "fast"]).optional(),
      thinking: z.enum(["auto", "enabled", "disabled"]).optional(),
    })
    .optional(),
  stream: z.boolean().optional(),
  tools: z.array(z.strictObject({ type: z.literal("web_search") })).optional(),
  background: z.enum(["auto", "opaque", "transparent"]).optional(),
  layer_decomposition: z.unknown().optional(),
});
type Body = z.infer<typeof schema>;

export const IMAGE_ERRORS = {
  moderation: "OutputImageSensitiveContentDetected",
  internal: "InternalServiceError",
};
const DAY = 24 * 3600;
const LIMITS = { edges: [14, 1_000_000], ratio: [1 / 16, 16], pixels: 36_000_000 } as const;

const imagesOf = ({ image }: Body): string[] => (image === undefined ? [] : [image].flat());
const most = ({
  sequential_image_generation: mode,
  sequential_image_generation_options: options,
}: Body): number => (mode === "auto" ? (options?.max_images ?? 15) : 1);

function badSize({ size }: Body, { tiers, pixels, edges }: ImageModel): string | undefined {
  if (size === undefined || tiers.includes(size)) return undefined;
  const wrong = (why: string): string =>
    `The parameter \`size\` specified in the request is not valid: ${why}, got ${size}.`;
  const [width, height] = sizeOf(size) ?? [];
  if (!width || !height) return wrong(`expected ${[...tiers, "WIDTHxHEIGHT"].join(", ")}`);
  if (edges && (Math.min(width, height) < edges[0] || Math.max(width, height) > edges[1]))
    return wrong(
      edges[1] === 0 ? `expected ${tiers.join(", ")}` : `edges must be ${edges[0]} to ${edges[1]} px`,
    );
  if (pixels && (width * height < pixels[0] || width * height > pixels[1]))
    return wrong(`image size must be ${pixels[0]} to ${pixels[1]} pixels`);
  if (width > height * 16 || height > width * 16) return wrong("the ratio must be 1:16 to 16:1");
  return undefined;
}

const unfit = (field: string): string =>
  `The parameter \`${field}\` specified in the request is not supported by the model.`;

const rules: Rule<Body, ImageModel>[] = [
  { field: "size", broken: badSize, says: "" },
  {
    field: "image",
    broken: (body, { references }) => {
      const count = imagesOf(body).length;
      return count > references && `The model takes at most ${references} reference images, got ${count}.`;
    },
    says: "",
  },
  {
    field: "image",
    code: "MissingParameter",
    broken: (body, { needsReference }) => needsReference === true && imagesOf(body).length === 0,
    says: "The request is missing the required parameter `image`.",
  },
  {
    field: "guidance_scale",
    broken: ({ guidance_scale }, { guidance }) => guidance_scale !== undefined && !guidance,
    says: unfit("guidance_scale"),
  },
  {
    field: "output_format",
    broken: ({ output_format }, { formats }) => output_format !== undefined && !(formats.length > 1),
    says: unfit("output_format"),
  },
  {
    field: "sequential_image_generation",
    broken: ({ sequential_image_generation: mode }, { groups }) => mode === "auto" && !groups,
    says: unfit("sequential_image_generation"),
  },
  {
    field: "sequential_image_generation_options",
    broken: (body) =>
      most(body) > 1 &&
      imagesOf(body).length + most(body) > 15 &&
      body.sequential_image_generation_options?.max_images !== undefined,
    says: "Reference images and generated images together must not be more than 15.",
  },
  { field: "stream", broken: ({ stream }, { groups }) => stream === true && !groups, says: unfit("stream") },
  {
    field: "optimize_prompt_options",
    broken: ({ optimize_prompt_options }, { optimizes }) =>
      optimize_prompt_options !== undefined && !optimizes,
    says: unfit("optimize_prompt_options"),
  },
  {
    field: "optimize_prompt_options.mode",
    broken: (body, { fast }) =>
      body.optimize_prompt_options?.mode === "fast" &&
      !(fast === true || (fast === "references" && imagesOf(body).length > 0)),
    says: unfit("optimize_prompt_options.mode"),
  },
  {
    field: "optimize_prompt_options.thinking",
    broken: (body) => body.optimize_prompt_options?.thinking === "disabled" && imagesOf(body).length > 0,
    says: "Thinking cannot be disabled when reference images are given.",
  },
  { field: "tools", broken: ({ tools }, { search }) => tools !== undefined && !search, says: unfit("tools") },
  {
    field: "background",
    broken: ({ background }, { transparent }) => background !== undefined && !transparent,
    says: unfit("background"),
  },
  {
    field: "background",
    broken: (body) =>
      body.background === "transparent" && (imagesOf(body).length !== 1 || body.output_format !== "png"),
    says: "A transparent background takes exactly one reference image and png output.",
  },
];

interface Member {
  picture: Picture;
  error?: WorkError;
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

const errorOf = (code: string): WorkError => ({ code, message: "The image could not be generated." });

/** Images from a text and other images: one, or a group whose members fail by themselves. */
export function generateImages(call: MediaCall): Asked {
  const body = checked(schema, call.body, spell);
  const model = imageModel(call.model);
  hold(rules, body, model);
  for (const [index, url] of imagesOf(body).entries())
    checkImage(url, typeof body.image === "string" ? "image" : `image[${index}]`, {
      ...LIMITS,
      edges: [...LIMITS.edges],
      ratio: [...LIMITS.ratio],
    });
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
      const work = begin(call, { outcome, errors: IMAGE_ERRORS, make: () => ({ outputs, billed }) });
      call.studio.works.finish(work, call.now);
      if (work.state !== "succeeded") {
        const { code = "InternalServiceError", message = work.state } = work.error ?? {};
        throw new Refusal(code === IMAGE_ERRORS.internal ? "internal" : "invalid", message, { code });
      }
      const item = ({ picture, error }: Member, index: number) => {
        if (error) return { error };
        const { width, height } = picture.output;
        const shown =
          body.response_format === "b64_json"
            ? { b64_json: picture.bytes().toString("base64") }
            : { url: publish(call, { work, output: outputs[index]!, bytes: picture.bytes, lifetime: DAY }) };
        const format = model.formats.length > 1 ? { output_format: body.output_format ?? "jpeg" } : {};
        return { ...shown, size: `${width}x${height}`, ...format };
      };
      const usage = { ...billed, total_tokens: tokens };
      const told = withUsage ? { usage } : {};
      const head = { model: call.model, created };
      if (!body.stream)
        return { usage: { output: tokens }, body: { ...head, data: members.map(item), ...told } };
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
          { event: type, data: { type, ...head, ...told }, part: "done" },
          { data: "[DONE]", part: "done" },
        ],
        framing: "events",
      };
    },
  };
}
