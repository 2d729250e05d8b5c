import {
  type EmbedCodec,
  type EmbedPart,
  type EmbedRequest,
  embedCodecs,
} from "@manifold-gateway/core/operations";
import fc from "fast-check";
import type { EmbedInput } from "../../../../packages/core/src/operations/embed/ir.ts";

export const { chatstyle, msgstyle, genstyle } = embedCodecs;
export const wires = [chatstyle, msgstyle, genstyle];

export const text = (value: string): EmbedInput => ({ parts: [{ type: "text", text: value }] });
export const bytes = (
  kind: "image" | "audio" | "video" | "document",
  mediaType: string,
  data = "AAAA",
): EmbedPart => ({
  type: "media",
  kind,
  source: { type: "base64", mediaType, data },
});
export const ask = (inputs: EmbedInput[], more: Partial<EmbedRequest> = {}): EmbedRequest => ({
  model: "m",
  inputs,
  ...(inputs.length !== 1 && { batch: true }),
  ...more,
});

const isMedia = (part: EmbedPart): boolean => part.type === "media";
/** A request as it comes back from a wire, which may have media in lists only. */
export const listed = (codec: EmbedCodec, request: EmbedRequest): EmbedRequest =>
  codec === chatstyle && request.inputs.some((one) => "parts" in one && one.parts.some(isMedia))
    ? { ...request, batch: true }
    : request;

export const anyText = fc
  .string({ unit: "grapheme" })
  .map((value): EmbedPart => ({ type: "text", text: value }));
export const anyMedia = fc
  .tuple(
    fc.constantFrom<["image" | "audio" | "video" | "document", string]>(
      ["image", "image/png"],
      ["image", "image/jpeg"],
      ["audio", "audio/wav"],
      ["video", "video/mp4"],
      ["video", "video/quicktime"],
      ["document", "application/pdf"],
    ),
    fc.base64String({ minLength: 4 }),
  )
  .map(([[kind, mediaType], data]) => bytes(kind, mediaType, data));
export const anyInput: fc.Arbitrary<EmbedInput> = fc.oneof(
  anyText.map((part) => ({ parts: [part] })),
  fc
    .tuple(fc.array(fc.oneof(anyText, anyMedia), { maxLength: 3 }), anyMedia)
    .map(([parts, last]) => ({ parts: [...parts, last] })),
);
export const anyRequest: fc.Arbitrary<EmbedRequest> = fc
  .record({
    model: fc.stringMatching(/^[a-z][a-z0-9.-]{0,12}$/),
    inputs: fc.array(anyInput, { minLength: 1, maxLength: 5 }),
    listed: fc.boolean(),
    dimensions: fc.option(fc.integer({ min: 1, max: 4096 }), { nil: undefined }),
  })
  .map(({ listed, dimensions, ...request }) => ({
    ...request,
    ...((listed || request.inputs.length !== 1) && { batch: true as const }),
    ...(dimensions !== undefined && { dimensions }),
  }));
export const float = fc.float({ noNaN: true, noDefaultInfinity: true });
export const anyVectors = fc.array(fc.array(float, { minLength: 1, maxLength: 8 }), {
  minLength: 1,
  maxLength: 6,
});
