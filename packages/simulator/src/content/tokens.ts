import type { Media, Part, Reply, ReplyPart, RequestContent } from "./request-content.ts";

/** Token counts. `input` and `output` are inclusive; the others are parts of them. */
export interface Usage {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  /** The part of `cacheWrite` that is cached for an hour. */
  cacheWriteHour: number;
  output: number;
  reasoning: number;
}

export const NO_USAGE: Usage = {
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteHour: 0,
  output: 0,
  reasoning: 0,
};

/** The tokens of one piece of media, whatever its size. */
export const MEDIA_TOKENS: Record<Media["kind"], number> = {
  image: 258,
  document: 512,
  audio: 128,
  video: 1024,
};

/** Counts tokens: one for every four UTF-8 bytes, rounded up. */
export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

function partText(part: Part): string {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text;
    case "media":
      return `${part.kind} ${part.label} ${part.size ?? ""}`;
    case "call":
      return part.name + part.args;
    case "result":
      return part.parts.map(partText).join("");
  }
}

function partTokens(part: Part): number {
  if (part.type === "media") return MEDIA_TOKENS[part.kind];
  if (part.type === "result") return part.parts.reduce((sum, inner) => sum + partTokens(inner), 0);
  return countTokens(partText(part));
}

export interface Segment {
  text: string;
  tokens: number;
  mark?: "5m" | "1h";
}

/** The prompt in the order a vendor reads it: tools, system, turns; one segment per markable thing. */
export function segments(content: RequestContent): Segment[] {
  const tools = content.tools.map(({ name, description = "", schema, mark }) => {
    const text = `${name}${description}${JSON.stringify(schema)}`;
    return { text, tokens: countTokens(text), mark };
  });
  const parts = [...content.system, ...content.turns.flatMap((turn) => turn.parts)];
  return [
    ...tools,
    ...parts.map((part) => ({ text: partText(part), tokens: partTokens(part), mark: part.mark })),
  ];
}

export function inputTokens(content: RequestContent): number {
  return segments(content).reduce((sum, segment) => sum + segment.tokens, 0);
}

export function replyPartTokens(part: ReplyPart): number {
  return countTokens(part.type === "call" ? part.name + part.args : part.text);
}

export function outputTokens(reply: Reply, type?: ReplyPart["type"]): number {
  return (
    reply.parts
      .filter((part) => type === undefined || part.type === type)
      .reduce((sum, part) => sum + replyPartTokens(part), 0) +
    (type === undefined ? countTokens(reply.refusal ?? "") : 0)
  );
}
