import type { Reply, ReplyPart, RequestContent } from "../content/request-content.ts";
import { replyPartTokens } from "../content/tokens.ts";

/** The longest beginning of a text that has at most `bytes` bytes in UTF-8 and whole characters. */
function firstBytes(text: string, bytes: number): string {
  let used = 0;
  let kept = "";
  for (const char of text) {
    used += Buffer.byteLength(char);
    if (used > bytes) break;
    kept += char;
  }
  return kept;
}

function shorten(part: ReplyPart, tokens: number): ReplyPart | undefined {
  const bytes = tokens * 4;
  if (part.type !== "call") return bytes > 0 ? { ...part, text: firstBytes(part.text, bytes) } : undefined;
  const args = firstBytes(part.args, bytes - Buffer.byteLength(part.name));
  return bytes > Buffer.byteLength(part.name) ? { ...part, args, cut: true } : undefined;
}

function atStop(parts: ReplyPart[], stop: string[]): { parts: ReplyPart[]; stop?: string } {
  for (const [index, part] of parts.entries()) {
    if (part.type !== "text") continue;
    const met = stop
      .map((sequence) => ({ sequence, at: part.text.indexOf(sequence) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)[0];
    if (!met) continue;
    const text = part.text.slice(0, met.at);
    return { parts: [...parts.slice(0, index), ...(text ? [{ ...part, text }] : [])], stop: met.sequence };
  }
  return { parts };
}

/** Ends a reply at a stop sequence, at the output limit, or, with `half`, in the middle. */
export function fit(all: ReplyPart[], content: RequestContent, half: boolean): Reply {
  const { parts, stop } = atStop(all, content.stop);
  const total = parts.reduce((sum, part) => sum + replyPartTokens(part), 0);
  const limit = Math.min(
    content.limit ?? Number.POSITIVE_INFINITY,
    half ? Math.ceil(total / 2) : Number.POSITIVE_INFINITY,
  );
  if (total <= limit && !half) {
    if (stop !== undefined) return { parts, finish: "stop_sequence", stop };
    return { parts, finish: parts.some((part) => part.type === "call") ? "tool_calls" : "stop" };
  }
  const kept: ReplyPart[] = [];
  let left = limit;
  for (const part of parts) {
    const tokens = replyPartTokens(part);
    const fitting = tokens <= left ? part : shorten(part, left);
    if (fitting) kept.push(fitting);
    left -= tokens;
    if (left <= 0) break;
  }
  return { parts: kept, finish: "length" };
}
