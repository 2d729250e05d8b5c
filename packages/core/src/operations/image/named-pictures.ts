import type { Loss } from "../../ir/loss.ts";
import type { Json } from "../../json/json.ts";
import { type PartSource, toInline } from "../content.ts";
import type { ImageAsk } from "./ir.ts";

/** An address, or a picture itself. */
const isAddress = (value: Json): value is string =>
  typeof value === "string" && /^(?:https?:\/\/|data:image\/)/i.test(value);

const toSource = (url: string): PartSource =>
  /^data:/i.test(url) ? toInline({ data: url }) : { type: "url", url };

/**
 * A request that names pictures in `image`, which several vendors of the chat wire have in requests to generate, with
 * them as pictures to start from, for a wire that would lose the member: a picture of the text alone would be another one.
 */
export function withNamedPictures(
  ask: ImageAsk,
  wire: { losses?(ask: ImageAsk): readonly Loss[] } | undefined,
): ImageAsk {
  const { image, ...fields } = ask.extra?.fields ?? {};
  const named = [image ?? []].flat();
  if (!ask.extra || named.length === 0 || !named.every(isAddress)) return ask;
  if (!wire?.losses?.(ask).some(({ path }) => path === "/extra/image")) return ask;
  const pictures = named.map((url, i) => ({
    source: toSource(url),
    at: Array.isArray(image) ? `/image/${i}` : "/image",
  }));
  return { ...ask, images: [...ask.images, ...pictures], extra: { ...ask.extra, fields } };
}
