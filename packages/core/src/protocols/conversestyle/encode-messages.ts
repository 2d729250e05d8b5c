import { extraFor } from "../../ir/extra.ts";
import type { Message, Part } from "../../ir/index.ts";
import { joinable, loseFields } from "../../ir/joined-fields.ts";
import { CONTINUED, hoist, joinTurns, OPENED, OPENING } from "../../ir/turns.ts";
import { type JsonObject, toObject } from "../../json/json.ts";
import { encodePart } from "./encode-parts.ts";
import { mediaBehind } from "./encode-results.ts";
import { type Context, protocol } from "./parts.ts";

/** The blocks that each part became. */
type Written = Map<Part, JsonObject[]>;

const blocksOf = (parts: readonly Part[], written: Written): JsonObject[] =>
  parts.flatMap((part) => written.get(part) ?? []);

/** `system` and `messages` of a request. */
export function encodeMessages(all: readonly Message[], context: Context): JsonObject {
  const { lose } = context;
  const written: Written = new Map();
  const lead = hoist(all).system.length;
  const system: JsonObject[] = [];
  const kept: Message[] = [];
  all.forEach((message, i) => {
    const path = `/messages/${i}`;
    const fields = extraFor(protocol, message.extra, lose, path);
    const parts = encodeParts(message, path, written, context);
    if (message.name !== undefined) lose(`${path}/name`, "unsupported");
    if (message.role === "system" && message.developer)
      lose(`${path}/developer`, "approximated", "became system");
    if (message.role === "system" && i < lead) {
      const { content, ...more } = fields;
      loseFields(more, path, lose);
      const blocks = Array.isArray(content) ? content.map(toObject) : blocksOf(parts, written);
      for (const block of blocks) system.push(block);
      return;
    }
    if (parts.length === 0) {
      loseFields(fields, path, lose);
      lose(path, "unsupported", "there is nothing to say in it");
      return;
    }
    // The wire has no system text among its messages.
    const role = message.role === "system" ? "user" : message.role;
    if (role !== message.role) lose(path, "approximated", "sent as a message of the user, in its place");
    kept.push(joinable(kept.at(-1), { ...message, role, parts } as Message, protocol, fields, path, lose));
  });
  const turns = joinTurns(kept);
  const messages = turns.flatMap((turn) => splitResults(turn, written, context));
  if (messages[0]?.role !== "user") {
    lose("/messages", "approximated", OPENED);
    if (messages.length === 0 && system.length > 0) {
      for (const i of all.keys()) lose(`/messages/${i}`, "approximated", "sent as a message of the user");
      return { messages: [{ role: "user", content: system }] };
    }
    messages.unshift({ role: "user", content: [{ text: OPENING }] });
  }
  if (context.traits.prefill === false && messages.at(-1)?.role === "assistant") {
    lose(
      "/messages",
      "approximated",
      "the conversation has to end with the user; a text of the user was added",
    );
    messages.push({ role: "user", content: [{ text: CONTINUED }] });
  }
  return { ...(system.length > 0 && { system }), messages };
}

/** The parts that became blocks: copies, so that each is of one place also where one part stands in two. */
function encodeParts({ parts }: Message, path: string, written: Written, context: Context): Part[] {
  return (parts as Part[]).flatMap((part, i) => {
    const place = `${path}/parts/${i}`;
    const pairs: [Part, JsonObject[]][] = [[part, encodePart(part, place, context)]];
    if (part.type === "result")
      for (const [medium, k] of mediaBehind(part, context))
        pairs.push([medium, encodePart(medium, `${place}/parts/${k}`, context)]);
    return pairs.flatMap(([each, blocks]) => {
      if (blocks.length === 0) return [];
      const copy = { ...each };
      written.set(copy, blocks);
      return [copy];
    });
  });
}

/** Stands for the model between results and what may not be in one turn with them. */
const ACKNOWLEDGED = "OK.";
/** Stands beside documents, which the wire takes only together with text. */
const ATTACHED = "See the attached document.";

/** A turn as messages of the wire: two, and one of the model between, where nothing may follow results at once. */
function splitResults(turn: Message, written: Written, { lose, traits }: Context): JsonObject[] {
  const { role, extra } = turn;
  const messageOf = (parts: readonly Part[], fields: JsonObject = {}): JsonObject => ({
    role,
    content: documented(role, blocksOf(parts, written), lose),
    ...fields,
  });
  const parts = turn.parts as Part[];
  const results = parts.filter(({ type }) => type === "result");
  const others = parts.filter(({ type }) => type !== "result");
  if (traits.userAfterResults !== false || results.length === 0 || others.length === 0)
    return [messageOf(parts, extra?.fields)];
  lose("/messages", "approximated", "a word of the model stands between results and the user");
  return [
    messageOf(results, extra?.fields),
    { role: "assistant", content: [{ text: ACKNOWLEDGED }] },
    messageOf(others),
  ];
}

/** Content with a text, where it holds a document. */
function documented(role: string, content: JsonObject[], lose: Context["lose"]): JsonObject[] {
  const holds = (member: string): boolean => content.some((block) => block[member] !== undefined);
  if (role !== "user" || !holds("document") || holds("text")) return content;
  lose("/messages", "approximated", "a document has to stand beside text; some was inserted");
  return [...content, { text: ATTACHED }];
}
