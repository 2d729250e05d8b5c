import type { AnyProvider } from "../codec/codec.ts";
import { chain, type Machine } from "../codec/machine.ts";
import type { Traits } from "../codec/traits.ts";
import { loseExtra } from "../ir/extra.ts";
import { dropIgnored } from "../ir/ignorable.ts";
import type { Event, Message, Protocol, SystemMessage, TextRequest } from "../ir/index.ts";
import { collectLosses, type Lose, type Loss } from "../ir/loss.ts";
import type { JsonObject } from "../json/json.ts";
import { markCache } from "./cache-marks.ts";
import { fitChoice } from "./fit-choice.ts";
import { fitFormat } from "./fit-format.ts";
import { fit } from "./fit-names.ts";
import { endWithUser, fitTurns } from "./fit-turns.ts";
import { followEfforts } from "./follow-efforts.ts";
import { replaceForeign, withoutForeignTurns } from "./foreign-parts.ts";
import { asksNothing, withoutIdleChoice } from "./neutral.ts";
import { followMoves } from "./origins.ts";
import { repair } from "./pair-calls.ts";
import { placeSystem } from "./place-system.ts";
import { reduceSchemas } from "./reduce-schemas.ts";
import { replaceUnread } from "./unread-media.ts";
import { withoutMarks } from "./without-marks.ts";

/** A request ready for its target, its losses, and the way to restore the changed names in the reply. */
export interface Encoded {
  /** The request on the target's wire. */
  wire: JsonObject;
  /** What the target cannot express. */
  losses: Loss[];
  /** True if the reply needs `restore`: names, free text or the form of the answer were changed. */
  restores: boolean;
  /** Gives events of the reply the names that the caller's request used. */
  restore(): Machine<Event, Event>;
}

/**
 * Writes a canonical request in the target's protocol, after repairing what every target refuses. What asks for nothing
 * and has no place there is no loss.
 */
export function encodeRequest(input: TextRequest, to: AnyProvider, modelTraits: Traits = {}): Encoded {
  const traits: Traits = { ...to.defaults, ...modelTraits };
  const { losses, lose } = collectLosses();
  const request = withoutIdleChoice(input);
  const { moved, back } = followMoves(request);
  const { schemaWithout: refused = [] } = traits;
  const settled = to.facts.midEfforts ? request : followEfforts(request, moved);
  const schematic = refused.length > 0 ? reduceSchemas(settled, refused, lose, to.dialect) : settled;
  const reduced = traits.thinking?.length === 0 ? withoutThinking(schematic, lose) : schematic;
  const backFrom =
    (rewritten: TextRequest): Lose =>
    (path, why, detail) =>
      lose(back(rewritten, path), why, detail);
  const spoken = withoutForeignTurns(reduced, to.protocol, backFrom(reduced));
  const filled = withUserMessage(withoutEmptyTurns(spoken, to.protocol, backFrom(spoken)));
  const repaired = repair(filled, backFrom(filled), moved);
  const read = replaceUnread(repaired, traits, backFrom(repaired), moved);
  const shaped = fitFormat(read, traits, to, lose);
  const placed = placeSystem(shaped.request, traits, backFrom(shaped.request), moved);
  const turned = fitTurns(placed, traits, backFrom(placed), moved);
  const sent = dropIgnored(fitChoice(turned, to.protocol, traits, lose), traits.ignores ?? [], lose);
  const { callIdLength: length } = traits;
  const ids = length
    ? { pattern: new RegExp(`^[a-zA-Z0-9]{${length}}$`), max: length, exact: length }
    : to.ids;
  const target = { names: to.names, ids, freeform: to.freeform && traits.freeform !== false };
  const { request: fitted, restores, restore } = fit(sent, target, lose, moved);
  const replaced = replaceForeign(fitted, to.protocol, backFrom(fitted), moved);
  const taken = traits.cacheMarks === false ? withoutMarks(replaced, backFrom(replaced), moved) : replaced;
  const { promptCache: least } = traits;
  const marked = least && to.facts.cacheMark ? markCache(taken, least, to.facts.cacheMark) : taken;
  const wire = to.request.encode(marked, backFrom(taken), traits, to.dialect);
  return {
    wire: endWithUser(wire, to.facts.turns, traits, lose),
    losses: losses.filter((loss) => !asksNothing(request, loss)),
    restores: restores || shaped.restores,
    restore: () => (shaped.restores ? chain(restore(), shaped.restore()) : restore()),
  };
}

/** A request with an empty user message, for a conversation without any: no target takes an empty one. */
const withUserMessage = (request: TextRequest): TextRequest =>
  request.messages.length > 0 ? request : { ...request, messages: [{ role: "user", parts: [] }] };

/** A request without messages that say nothing, unless the user's: some servers refuse them, and no model needs them. */
function withoutEmptyTurns(request: TextRequest, target: Protocol, lose: Lose): TextRequest {
  const isEmpty = (message: Message): boolean =>
    message.role === "system"
      ? isSilent(message, target)
      : message.role === "assistant" && !message.parts.length;
  if (!request.messages.some(isEmpty)) return request;
  const messages = request.messages.filter((message, i) => {
    if (!isEmpty(message)) return true;
    if (message.role === "system") loseExtra(message.extra, lose, `/messages/${i}`);
    else lose(`/messages/${i}`, "unsupported", "the turn is empty");
    return false;
  });
  return { ...request, messages };
}

/** Checks for a system message without text, and without members that the target has. */
const isSilent = ({ parts, effort, extra }: SystemMessage, target: Protocol): boolean =>
  parts.every(({ text }) => text === "") && effort === undefined && extra?.protocol !== target;

/**
 * Takes reasoning out of a request for a model that does not reason; a request to switch
 * reasoning off is met anyway, so removing that is not a loss.
 */
function withoutThinking({ reasoning, ...request }: TextRequest, lose: Lose): TextRequest {
  if (reasoning && reasoning.mode !== "off") lose("/reasoning", "unsupported", "the model does not think");
  return request;
}
