import type { Chunk } from "../protocol.ts";
import type { Options } from "./image-rules.ts";

/** The names of a stream's events: pictures made, or pictures made from others. */
export type ImageKind = "image_generation" | "image_edit";

/** The generated pictures, on their way back to the wire. */
export interface GeneratedImages {
  kind: ImageKind;
  options: Options;
  /** Unix seconds. */
  created: number;
  size: string;
  /** Base64. */
  images: string[];
  previews: string[];
  /** Tokens; `images` of the input are those of pictures. */
  usage?: { input: number; output: number; images: number };
}

const echo = ({ options, size }: GeneratedImages) => ({
  background: options.background === "transparent" ? "transparent" : "opaque",
  output_format: options.output_format ?? "png",
  quality: options.quality ?? "auto",
  size,
});

function usageOf({ usage }: GeneratedImages) {
  if (!usage) return {};
  const { input, output, images } = usage;
  return {
    usage: {
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
      input_tokens_details: { text_tokens: input - images, image_tokens: images },
      output_tokens_details: { image_tokens: output, text_tokens: 0 },
    },
  };
}

export function writeImages(generated: GeneratedImages): unknown {
  const { created, images } = generated;
  return {
    created,
    ...echo(generated),
    data: images.map((b64_json) => ({ b64_json })),
    ...usageOf(generated),
  };
}

/** Previews first, then what was made, whole. */
export function streamImages(generated: GeneratedImages): Chunk[] {
  const { kind, created, images, previews } = generated;
  const chunk = (name: string, b64_json: string, part: Chunk["part"], rest: object): Chunk => {
    const type = `${kind}.${name}`;
    return { event: type, data: { type, b64_json, created_at: created, ...echo(generated), ...rest }, part };
  };
  return [
    ...previews.map((one, index) => chunk("partial_image", one, "content", { partial_image_index: index })),
    ...images.map((one) => chunk("completed", one, "done", usageOf(generated))),
  ];
}
