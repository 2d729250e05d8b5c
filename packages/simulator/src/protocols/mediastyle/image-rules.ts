import * as z from "zod";
import type { Rule } from "../../check/rule.ts";
import { sizeOf } from "../../media/picture.ts";
import type { ImageModel } from "./image-models.ts";

export const schema = z.strictObject({
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
export type Body = z.infer<typeof schema>;

export const imagesOf = ({ image }: Body): string[] => (image === undefined ? [] : [image].flat());
/** The most images a request may have made. */
export const most = ({
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

const unsupported = (field: string): string =>
  `The parameter \`${field}\` specified in the request is not supported by the model.`;

/** The vendor's refusals beyond the shape of a body. */
export const rules: Rule<Body, ImageModel>[] = [
  { field: "size", broken: badSize, message: "" },
  {
    field: "image",
    broken: (body, { references }) => {
      const count = imagesOf(body).length;
      return count > references && `The model takes at most ${references} reference images, got ${count}.`;
    },
    message: "",
  },
  {
    field: "image",
    code: "MissingParameter",
    broken: (body, { needsReference }) => needsReference === true && imagesOf(body).length === 0,
    message: "The request is missing the required parameter `image`.",
  },
  {
    field: "guidance_scale",
    broken: ({ guidance_scale }, { guidance }) => guidance_scale !== undefined && !guidance,
    message: unsupported("guidance_scale"),
  },
  {
    field: "output_format",
    broken: ({ output_format }, { formats }) => output_format !== undefined && !(formats.length > 1),
    message: unsupported("output_format"),
  },
  {
    field: "sequential_image_generation",
    broken: ({ sequential_image_generation: mode }, { groups }) => mode === "auto" && !groups,
    message: unsupported("sequential_image_generation"),
  },
  {
    field: "sequential_image_generation_options",
    broken: (body) =>
      most(body) > 1 &&
      imagesOf(body).length + most(body) > 15 &&
      body.sequential_image_generation_options?.max_images !== undefined,
    message: "Reference images and generated images together must not be more than 15.",
  },
  {
    field: "stream",
    broken: ({ stream }, { groups }) => stream === true && !groups,
    message: unsupported("stream"),
  },
  {
    field: "optimize_prompt_options",
    broken: ({ optimize_prompt_options }, { optimizes }) =>
      optimize_prompt_options !== undefined && !optimizes,
    message: unsupported("optimize_prompt_options"),
  },
  {
    field: "optimize_prompt_options.mode",
    broken: (body, { fast }) =>
      body.optimize_prompt_options?.mode === "fast" &&
      !(fast === true || (fast === "references" && imagesOf(body).length > 0)),
    message: unsupported("optimize_prompt_options.mode"),
  },
  {
    field: "optimize_prompt_options.thinking",
    broken: (body) => body.optimize_prompt_options?.thinking === "disabled" && imagesOf(body).length > 0,
    message: "Thinking cannot be disabled when reference images are given.",
  },
  {
    field: "tools",
    broken: ({ tools }, { search }) => tools !== undefined && !search,
    message: unsupported("tools"),
  },
  {
    field: "background",
    broken: ({ background }, { transparent }) => background !== undefined && !transparent,
    message: unsupported("background"),
  },
  {
    field: "background",
    broken: (body) =>
      body.background === "transparent" && (imagesOf(body).length !== 1 || body.output_format !== "png"),
    message: "A transparent background takes exactly one reference image and png output.",
  },
];
