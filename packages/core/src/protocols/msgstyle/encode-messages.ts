import { holdsMedia } from "../../family/result-media.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Message, Part } from "../../ir/index.ts";
import { joinable, loseFields } from "../../ir/joined-fields.ts";
import type { Lose } from "../../ir/loss.ts";
import { hoist, OPENED, OPENING, toTurns } from "../../ir/turns.ts";
import { type JsonObject, toObject } from "../../json/json.ts";
import { encodePart, shorten } from "./encode-parts.ts";
import { type Context, protocol } from "./parts.ts";

/** The written form of each part, and where it stood. */
type Written = Map<Part, { block: JsonObject; path: string }>;

const blocksOf = (parts: readonly Part[], written: Written): JsonObject[] =>
  parts.map((part) => written.get(part)?.block as JsonObject);

/** `system` and `messages` of a request. */
export function encodeMessages(all: readonly Message[], context: Context): JsonObject {
  const { lose } = context;
  const written: Written = new Map();
  const lead = hoist(all).system.length;
  const system: JsonObject[] = [];
  const kept: Message[] = [];
  all.forEach((message, i) => {
    const path = `/messages/${i}`;
    const fields = fieldsOf(message, path, lose);
    const parts = encodeParts(message, path, written, context);
    if (message.name !== undefined) lose(`${path}/name`, "unsupported");
    if (message.role === "system" && message.developer)
      lose(`${path}/developer`, "approximated", "became system");
    if (i < lead) {
      const { content, ...more } = fields;
      loseFields(more, path, lose);
      const blocks = Array.isArray(content) ? content.map(toObject) : blocksOf(parts, written);
      for (const block of blocks) system.push(block);
    } else if (parts.length > 0 || fields.content !== undefined || fields.output_config !== undefined)
      kept.push(joinable(kept.at(-1), { ...message, parts } as Message, protocol, fields, path, lose));
    else lose(path, "unsupported", "there is nothing to say in it");
  });
  const turns = toTurns(kept);
  trimEnd(turns.at(-1), written, lose);
  const calls = ({ parts }: Message): boolean => (parts as Part[]).some(({ type }) => type === "call");
  const { reasoningBack } = context.traits;
  const every = reasoningBack === "always" && turns.some(calls);
  const messages = turns.map((turn): JsonObject => {
    const { role, parts, extra } = turn;
    const blocks = blocksOf(parts, written);
    const wants = role === "assistant" && (every || (reasoningBack === "calls" && calls(turn)));
    if (wants && !(parts as Part[]).some(({ type }) => type === "reasoning")) blocks.unshift(noThought());
    return { role, content: shorten(blocks), ...extra?.fields };
  });
  if (messages[0]?.role !== "user") {
    lose("/messages", "approximated", OPENED);
    if (messages.length === 0 && system.length > 0) {
      for (const i of all.keys()) lose(`/messages/${i}`, "approximated", "sent as a message of the user");
      return { messages: [{ role: "user", content: shorten(system) }] };
    }
    messages.unshift({ role: "user", content: OPENING });
  }
  return { ...(system.length > 0 && { system: shorten(system) }), messages };
}

/** The wire's own members of a message, beside its content. */
const fieldsOf = (message: Message, path: string, lose: Lose): JsonObject => ({
  ...extraFor(protocol, message.extra, lose, path),
  ...(message.role === "system" &&
    message.effort !== undefined && { output_config: { effort: message.effort } }),
});

/** The block of a turn without a thought, for models that refuse turns without such a block. */
const noThought = (): JsonObject => ({ type: "thinking", thinking: "", signature: "" });

/** The parts that became blocks: copies, so that each is of one place also where one part stands in two. */
function encodeParts({ parts }: Message, path: string, written: Written, context: Context): Part[] {
  const write = (part: Part, place: string): Part[] => {
    const block = encodePart(part, place, context);
    if (!block) return [];
    const copy = { ...part };
    written.set(copy, { block, path: place });
    return [copy];
  };
  return (parts as Part[]).flatMap((part, i) => {
    const place = `${path}/parts/${i}`;
    if (part.type !== "result") return write(part, place);
    const behind = part.parts.flatMap((inner, k) => {
      if (inner.type !== "media" || holdsMedia(inner, context.traits)) return [];
      context.lose(`${place}/parts/${k}`, "approximated", "moved behind the results");
      return write(inner, `${place}/parts/${k}`);
    });
    return [...write(part, place), ...behind];
  });
}

/** A begun answer may not end in white space. */
function trimEnd(turn: Message | undefined, written: Written, lose: Lose): void {
  const last = turn?.role === "assistant" ? turn.parts.at(-1) : undefined;
  const place = last && written.get(last);
  if (!place || last.type !== "text" || last.text === last.text.trimEnd()) return;
  place.block.text = last.text.trimEnd();
  lose(place.path, "approximated", "white space at the end is refused");
}
