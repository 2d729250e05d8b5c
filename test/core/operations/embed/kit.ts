import { collectLosses } from "@manifold-gateway/core";
import type { MediaPart } from "@manifold-gateway/core/ir";
import type { EmbedPart, EmbedRequest, embedWires } from "@manifold-gateway/core/operations";

export type Kind = MediaPart["kind"];
type Codec = (typeof embedWires)["mediastyle"];

export const text = (value: string): EmbedPart => ({ type: "text", text: value });
export const bytes = (kind: Kind, mediaType: string, data = "AAAA"): EmbedPart => ({
  type: "media",
  kind,
  source: { type: "base64", mediaType, data },
});
export const link = (kind: Kind, url = "https://media.example.test/x"): EmbedPart => ({
  type: "media",
  kind,
  source: { type: "url", url },
});
export const ask = (...inputs: EmbedPart[][]): EmbedRequest => ({
  model: "m",
  inputs: inputs.map((parts) => ({ parts })),
  ...(inputs.length !== 1 && { batch: true }),
});
export const encode = (codec: { request: Codec["request"] }, request: EmbedRequest) => {
  const { losses, lose } = collectLosses();
  return { wire: codec.request.encode(request, lose), losses: losses.map((loss) => loss.path) };
};

export const images = [bytes("image", "image/png"), link("image")];
