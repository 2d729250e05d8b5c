import type { VideoAsk } from "@manifold-gateway/core/operations";

/** All that an ask says in words. */
export const promptOf = ({ parts }: VideoAsk): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
