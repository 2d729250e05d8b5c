import type { Observation, Usage } from "@manifold/core";
import { type Brief, Inline, isBriefObject } from "../http/inline.ts";

/** What a media part counts for in an estimate, in tokens: about a large image. */
const MEDIA = 1_600;
const DATA_URL = /^data:[^,]{0,100};base64,/;

/** The text of a request in UTF-8 bytes, and how many media parts it holds inline or names. */
export function measure(value: Brief): { bytes: number; media: number } {
  let bytes = 0;
  let media = 0;
  const walk = (node: Brief): void => {
    if (typeof node === "string") {
      if (DATA_URL.test(node)) media += 1;
      else bytes += Buffer.byteLength(node);
    } else if (node instanceof Inline) {
      if (DATA_URL.test(node.head)) media += 1;
      else bytes += node.bytes.length;
    } else if (Array.isArray(node)) for (const item of node) walk(item);
    else if (isBriefObject(node)) {
      for (const key in node) {
        const child = node[key] as Brief;
        const isLong = child instanceof Inline || (typeof child === "string" && child.length > 256);
        if (isLong && (key === "data" || key === "file_data")) media += 1;
        else walk(child);
      }
    }
  };
  walk(value);
  return { bytes, media };
}

/** More input tokens than the request will turn out to have, in all but strange cases: a token is three bytes. */
export const inputBound = (value: Brief): number => {
  const { bytes, media } = measure(value);
  return Math.ceil(bytes / 3) + media * MEDIA;
};

/** The likely input tokens, for answers that came without usage: a token is four bytes. */
export const inputEstimate = (value: Brief): number => {
  const { bytes, media } = measure(value);
  return Math.ceil(bytes / 4) + media * MEDIA;
};

/**
 * What a reply is charged by. Upstream's own figures count; a delivered answer without them is estimated, and so
 * is the output of a reply that was cut, whose figures were only said up to some earlier point.
 */
export function billable(
  { usage, finish, content }: Observation,
  request: Brief,
): (Usage & { estimated?: boolean }) | undefined {
  const seen = Math.ceil(content / 4);
  if (usage && (finish || usage.output >= seen)) return usage;
  if (usage) return { ...usage, output: seen, estimated: true };
  if (content === 0 && !finish) return undefined;
  return { input: inputEstimate(request), output: seen, estimated: true };
}
