import type { MediaPart } from "../../ir/part.ts";
import type { EmbedCodec } from "./codec.ts";
import type { EmbedPart, EmbedRequest } from "./ir.ts";

/** A part that has to be fetched before the request can be encoded. */
export interface EmbedFetch {
  part: EmbedPart;
  /** Where it stands, as a JSON pointer into the canonical request. */
  path: string;
  kind: MediaPart["kind"];
  url: string;
}

/** Bytes of a part, in base64. */
export interface EmbedBytes {
  /** `image/png`. */
  mediaType: string;
  /** The bytes in base64. */
  data: string;
}

/** Addresses that a wire cannot take, for the host to fetch. */
export const fetchesOf = (request: EmbedRequest, codec: Pick<EmbedCodec, "urls">): EmbedFetch[] =>
  request.inputs.flatMap((input, i) =>
    "tokens" in input
      ? []
      : input.parts.flatMap((part, j) =>
          part.type === "media" && part.source.type === "url" && !codec.urls.includes(part.kind)
            ? [{ part, path: `/inputs/${i}/parts/${j}`, kind: part.kind, url: part.source.url }]
            : [],
        ),
  );

/**
 * The request with fetched bytes in the place of URLs. Parts that change are made anew: `carry` is called for them,
 * so that the host can move what it keeps by part (where it stood, how long it plays).
 */
export function inlineEmbed(
  request: EmbedRequest,
  fetched: ReadonlyMap<EmbedPart, EmbedBytes>,
  carry: (from: EmbedPart, to: EmbedPart) => void = () => {},
): EmbedRequest {
  const inline = (part: EmbedPart): EmbedPart => {
    const bytes = fetched.get(part);
    if (part.type === "text" || !bytes) return part;
    const whole: EmbedPart = { ...part, source: { type: "base64", ...bytes } };
    carry(part, whole);
    return whole;
  };
  return {
    ...request,
    inputs: request.inputs.map((input) =>
      "tokens" in input ? input : { ...input, parts: input.parts.map(inline) },
    ),
  };
}
