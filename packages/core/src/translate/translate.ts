import { callIdsOf } from "../codec/call-ids.ts";
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
import { fitNames } from "./fit-names.ts";
import { endWithUser, fitTurns } from "./fit-turns.ts";
import { replaceForeign, withoutForeignTurns } from "./foreign-parts.ts";
import { withoutLastThoughts } from "./last-thoughts.ts";
import { asksNothing, withoutIdleChoice } from "./neutral.ts";
import { traceCopies } from "./origins.ts";
import { pairCalls } from "./pair-calls.ts";
import { placePictures } from "./place-pictures.ts";
import { placeSystem } from "./place-system.ts";
import { reduceSchemas } from "./reduce-schemas.ts";
import { resolveEffort } from "./resolve-effort.ts";
import { tagThoughts } from "./tag-thoughts.ts";
import { replaceUnreadableMedia } from "./unreadable-media.ts";
import { untagThoughts } from "./untag-thoughts.ts";
import { withoutCacheMarks } from "./without-cache-marks.ts";

/** A request ready for its target, its losses, and the way to restore the changed names in the reply. */
export interface Encoded {
  /** The request on the target's wire. */
  wire: JsonObject;
  /** What the target cannot express. */
  losses: Loss[];
  /** True if the reply needs `restore`: names, free text or the form of the answer were changed. */
  restores: boolean;
  /** Gives events of the reply the names that the caller's request used, and calls ids that no other one has. */
  restore(): Machine<Event, Event>;
}

/**
 * Writes a canonical request in the target's protocol, after fitting it to what the target and its model accept. Values
 * that ask for nothing, such as a penalty of 0, are no losses if the target has no place for them.
 */
export function encodeRequest(input: TextRequest, to: AnyProvider, modelTraits: Traits = {}): Encoded {
  const traits: Traits = { ...to.defaults, ...modelTraits };
  const collected = collectLosses();
  const request = withoutIdleChoice(input);
  const { traceCopy, originalPath } = traceCopies(request);
  // Each step reports paths in the request that it was given: they are converted to paths in the one before all steps.
  let current = request;
  const lose: Lose = (path, why, detail) => collected.lose(originalPath(current, path), why, detail);
  const { schemaWithout: refused = [] } = traits;
  if (!to.facts.midEfforts) current = resolveEffort(current, traceCopy);
  if (refused.length > 0) current = reduceSchemas(current, refused, lose, to.dialect);
  if (traits.thinking?.length === 0) current = withoutThinking(current, lose);
  current = tagThoughts(withoutForeignTurns(current, to.protocol, lose), traits, lose, traceCopy);
  if (to.facts.refusesLastThoughts) current = withoutLastThoughts(current, to.protocol, lose, traceCopy);
  current = withUserMessage(withoutEmptyTurns(current, to.protocol, lose));
  current = pairCalls(current, lose, traceCopy);
  current = replaceUnreadableMedia(current, traits, lose, traceCopy);
  current = placePictures(current, to, traits, lose, traceCopy);
  const format = fitFormat(current, traits, to, lose);
  current = format.request;
  current = placeSystem(current, traits, lose, traceCopy);
  current = fitTurns(current, traits, lose, traceCopy);
  current = dropIgnored(fitChoice(current, to.protocol, traits, lose), traits.ignores ?? [], lose);
  const ids = callIdsOf(to.ids, traits);
  const freeform = to.freeform && traits.freeform !== false;
  const target = { names: to.names, ids, keys: to.keys, freeform };
  const names = fitNames(current, target, lose, traceCopy);
  current = names.request;
  current = replaceForeign(current, to.protocol, lose, traceCopy);
  const { promptCache: least } = traits;
  // A model that is known to cache takes marks, whatever most others behind its wire do.
  const takesMarks = modelTraits.cacheMarks ?? (least ? true : traits.cacheMarks);
  if (takesMarks === false) current = withoutCacheMarks(current, lose, traceCopy);
  // The marks make copies that are not traced, but no other places: losses are converted by the request without them.
  const marked = least && to.facts.cacheMark ? markCache(current, least, to.facts.cacheMark) : current;
  const wire = to.request.encode(marked, lose, traits, to.dialect);
  const { thoughtTag: tag, thoughtBegun: begun = false } = traits;
  return {
    wire: endWithUser(wire, to.facts.turns, traits, lose),
    losses: collected.losses.filter((loss) => !asksNothing(request, loss)),
    restores: names.restores || format.restores || tag !== undefined,
    restore() {
      const restored = format.restores ? chain(names.restore(), format.restore()) : names.restore();
      if (tag === undefined) return restored;
      return chain(untagThoughts(tag, begun && input.reasoning?.mode !== "off"), restored);
    },
  };
}

/** A request with an empty user message, for a conversation without any: no target takes an empty one. */
const withUserMessage = (request: TextRequest): TextRequest =>
  request.messages.length > 0 ? request : { ...request, messages: [{ role: "user", parts: [] }] };

/** A request without empty system and assistant messages: some servers refuse them, and no model needs them. */
function withoutEmptyTurns(request: TextRequest, target: Protocol, lose: Lose): TextRequest {
  const isEmpty = (message: Message): boolean =>
    message.role === "system"
      ? isEmptySystem(message, target)
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
const isEmptySystem = ({ parts, effort, extra }: SystemMessage, target: Protocol): boolean =>
  parts.every(({ text }) => text === "") && effort === undefined && extra?.protocol !== target;

/**
 * Removes the reasoning settings for a model that does not reason. Removing one that switches reasoning off is no loss.
 */
function withoutThinking({ reasoning, ...request }: TextRequest, lose: Lose): TextRequest {
  if (reasoning && reasoning.mode !== "off") lose("/reasoning", "unsupported", "the model does not think");
  return request;
}
