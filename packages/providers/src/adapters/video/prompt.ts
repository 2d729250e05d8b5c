import type { VideoAsk } from "@manifold-gateway/core/operations";

/** All text of a request. */
export const promptOf = ({ parts }: VideoAsk): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
