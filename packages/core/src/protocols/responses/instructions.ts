import type { SystemMessage } from "../../ir/index.ts";

/** The text of a system message that is one plain text and nothing else. */
export function plainText(message: SystemMessage): string | undefined {
  const [part] = message.parts;
  if (message.developer || message.name !== undefined || message.extra || message.parts.length !== 1)
    return undefined;
  return part && !part.cache && !part.extra && !part.citations && !part.refusal && !part.logprobs
    ? part.text
    : undefined;
}
