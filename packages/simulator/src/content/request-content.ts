/** The content of a request in any protocol. Answers are made from it alone, without the wire. */

export type JsonObject = { [key: string]: unknown };

/** How long a prefix is to be cached. */
export type Mark = "5m" | "1h";

export interface Text {
  type: "text";
  text: string;
  mark?: Mark;
}

export interface Media {
  type: "media";
  kind: "image" | "document" | "audio" | "video";
  /** The MIME type of inline media; the URL or file id of other media. */
  label: string;
  /** Decoded size of inline media in bytes. */
  size?: number;
  mark?: Mark;
}

interface CallPart {
  type: "call";
  id: string;
  name: string;
  /** JSON text. */
  args: string;
  mark?: Mark;
}

export interface ResultPart {
  type: "result";
  id: string;
  name?: string;
  parts: (Text | Media)[];
  failed: boolean;
  mark?: Mark;
}

interface ReasoningPart {
  type: "reasoning";
  text: string;
  mark?: Mark;
}

export type Part = Text | Media | CallPart | ResultPart | ReasoningPart;

export interface Turn {
  role: "user" | "assistant";
  parts: Part[];
}

export interface Tool {
  name: string;
  description?: string;
  schema: JsonObject;
  mark?: Mark;
}

export interface RequestContent {
  system: Text[];
  turns: Turn[];
  tools: Tool[];
  choice: { mode: "auto" | "any" | "none"; names?: string[] };
  parallel: boolean;
  format: { type: "text" } | { type: "json"; schema?: JsonObject };
  reasoning: boolean;
  /** Output limit in tokens. */
  limit?: number;
  stop: string[];
  /** The number of alternative replies that are wanted. */
  alternatives: number;
}

export type ReplyPart =
  | { type: "reasoning"; text: string; redacted: boolean }
  | { type: "text"; text: string }
  /** `args` is JSON text; `cut` when the output limit ended it half way. */
  | { type: "call"; name: string; args: string; cut: boolean };

export interface Reply {
  parts: ReplyPart[];
  finish: "stop" | "stop_sequence" | "length" | "tool_calls" | "refusal";
  /** The stop sequence that was met. */
  stop?: string;
  refusal?: string;
}

/** Merges adjacent turns of one role, as vendors do. */
export function mergeTurns(turns: Turn[]): Turn[] {
  const merged: Turn[] = [];
  for (const turn of turns) {
    const last = merged.at(-1);
    if (last?.role === turn.role) last.parts.push(...turn.parts);
    else merged.push({ role: turn.role, parts: [...turn.parts] });
  }
  return merged;
}

/** The text of the parts that are text, joined as a model would read them. */
export function textOf(parts: Part[]): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
