import type { ReasoningPart, Seal } from "../../ir/index.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  parseObject,
  rest,
  textOf,
  toArray,
  toText,
} from "../../json/json.ts";
import { sealFor, sealFrom } from "../seal.ts";
import type { ReasoningDetail } from "./schema.ts";

/** The de-facto members with the thoughts of a model as one text. Of several with words, the first counts. */
export const plainReasoning = ["reasoning_content", "reasoning", "reasoning_text"] as const;

/** All de-facto members for the thoughts of a model. */
export const reasoningFields = [...plainReasoning, "reasoning_details", "thinking_blocks"];

/** The thoughts that a message or a delta has as one text. */
export const plainThoughts = (record: JsonObject): string => {
  for (const field of plainReasoning) {
    const text = toText(record[field]);
    if (text !== "") return text;
  }
  return "";
};

/** One piece of reasoning as this wire writes it. `text` is absent where only the seal came. */
export interface Thought {
  text?: string;
  redacted?: true;
  seal?: Seal;
  /** The entry of the list that a streamed piece belongs to. */
  index?: number;
  /** It came as a string, and not as an entry of a list. */
  plain?: true;
}

const detailFields = new Set(["type", "text", "summary", "signature", "data", "index"]);

/** The seal of an entry. What its issuer wants back beside the signature is kept in it, as JSON. */
function sealOf(entry: JsonObject, value: string | undefined): Seal | undefined {
  if (value === undefined || value === "") return undefined;
  const seal = sealFrom("chatstyle", value);
  if (seal.protocol !== "chatstyle") return seal;
  const more = rest(entry, detailFields);
  const plain = entry.type === "reasoning.text" || entry.type === "reasoning.encrypted";
  if (!more && plain && !value.startsWith("{")) return seal;
  const { text: _, summary: _s, index: _i, ...kept } = entry;
  return { protocol: "chatstyle", value: JSON.stringify(kept) };
}

function toThought(json: Json): Thought {
  if (!isObject(json)) return {};
  const index = typeof json.index === "number" ? { index: json.index } : {};
  const text = textOf(json.thinking);
  const isBlock = json.type === "thinking" || (text !== undefined && textOf(json.type) === undefined);
  if (isBlock || json.type === "redacted_thinking") {
    const value = textOf(isBlock ? json.signature : json.data);
    const seal = value ? { seal: sealFrom("chatstyle", value) } : {};
    return isBlock
      ? { ...(text !== undefined && { text }), ...seal, ...index }
      : { redacted: true, ...seal, ...index };
  }
  if (json.type === "reasoning.encrypted" || (json.data !== undefined && json.text === undefined)) {
    const seal = sealOf(json, textOf(json.data));
    return seal ? { redacted: true, seal, ...index } : {};
  }
  const thoughtText = textOf(json.text) ?? textOf(json.summary);
  const seal = sealOf(json, textOf(json.signature));
  return { ...(thoughtText !== undefined && { text: thoughtText }), ...(seal && { seal }), ...index };
}

/**
 * The reasoning in a message or a delta. Servers send it twice, as one string and as a list; the list counts,
 * and text that is only in the string goes between its entries.
 */
export function readThoughts(record: JsonObject): Thought[] {
  const plain = plainThoughts(record);
  const details = toArray(record.reasoning_details);
  const list = (details.length > 0 ? details : toArray(record.thinking_blocks))
    .map(toThought)
    .filter((thought) => thought.text !== undefined || thought.seal);
  if (list.length === 0) return plain === "" ? [] : [{ text: plain, plain: true }];
  const starts = placesIn(plain, list);
  if (!starts) return list;
  const woven: Thought[] = [];
  let from = 0;
  list.forEach((thought, i) => {
    const start = starts[i] as number;
    const gap = plain.slice(from, start);
    from = start + (thought.text ?? "").length;
    // A seal alone belongs to the text before it.
    if (gap !== "" && thought.text === undefined && !thought.redacted) woven.push({ ...thought, text: gap });
    else {
      if (gap !== "") woven.push({ text: gap });
      woven.push(thought);
    }
  });
  if (from < plain.length) woven.push({ text: plain.slice(from) });
  return woven;
}

/** The places of the texts of the list in `plain`, in order; undefined if one is not there. */
function placesIn(plain: string, list: Thought[]): number[] | undefined {
  const starts: number[] = [];
  let from = 0;
  for (const { text } of list) {
    const start = text ? plain.indexOf(text, from) : -1;
    if (text && start < 0) return undefined;
    starts.push(start);
    if (text) from = start + text.length;
  }
  // An entry without text stands where the next one begins.
  let next = plain.length;
  for (let i = starts.length - 1; i >= 0; i--) {
    if (starts[i] === -1) starts[i] = next;
    next = starts[i] as number;
  }
  return starts;
}

export const toReasoning = ({ text, redacted, seal }: Thought): ReasoningPart => ({
  type: "reasoning",
  text: redacted ? "" : (text ?? ""),
  ...(redacted && { redacted }),
  ...(seal && { seal }),
});

/** An entry of the list for a piece of reasoning: its text, and its seal as this wire's clients echo it. */
export function writeDetail(part: ReasoningPart, index: number): ReasoningDetail {
  const value = part.seal ? sealFor("chatstyle", part.seal) : undefined;
  const entry = part.seal?.protocol === "chatstyle" && value ? parseObject(value) : undefined;
  if (entry) {
    const text = part.redacted
      ? {}
      : entry.type === "reasoning.summary"
        ? { summary: part.text }
        : { text: part.text };
    return { ...entry, index, ...text } as ReasoningDetail;
  }
  if (part.redacted)
    return { type: "reasoning.encrypted", index, ...(value !== undefined && { data: value }) };
  return {
    type: "reasoning.text",
    index,
    text: part.text,
    ...(value !== undefined && { signature: value }),
  };
}
