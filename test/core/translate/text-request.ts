import type { TextRequest } from "@manifold-gateway/core";

/** A request of nothing but messages, for rules that look at no more. */
export const asked = (messages: TextRequest["messages"], more: Partial<TextRequest> = {}): TextRequest => ({
  model: "m",
  stream: false,
  messages,
  params: {},
  ...more,
});
