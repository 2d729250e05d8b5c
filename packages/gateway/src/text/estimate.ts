import type { TextRequest } from "@manifold-gateway/core";
import type { Part } from "@manifold-gateway/core/ir";
import { MEDIA, TOKEN_BYTES } from "../generation/token-estimate.ts";

/**
 * The likely input tokens of a decoded request. The estimate of a conversation is the same on every surface.
 */
export function estimateOf({ messages, tools = [], format }: TextRequest): number {
  const messageTokens = messages.map(({ parts }) => tokensOf(parts));
  const described = tools.map((tool) =>
    tool.type === "function"
      ? lengthOf(tool.name) + lengthOf(tool.description) + lengthOf(tool.schema)
      : lengthOf(tool.value),
  );
  const shape = format?.type === "schema" ? lengthOf(format.schema) : 0;
  return Math.ceil(sum(messageTokens) + (sum(described) + shape) / TOKEN_BYTES);
}

const tokensOf = (parts: readonly Part[]): number => sum(parts.map(tokensIn));

function tokensIn(part: Part): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return lengthOf(part.text) / TOKEN_BYTES;
    case "call":
      return (lengthOf(part.name) + lengthOf(part.arguments)) / TOKEN_BYTES;
    case "result":
      return tokensOf(part.parts);
    case "media":
      return MEDIA;
    case "opaque":
      return lengthOf(part.value) / TOKEN_BYTES;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The bytes of a text, or of a value as JSON. */
function lengthOf(value: unknown): number {
  if (value === undefined) return 0;
  return Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));
}
