import { DONE } from "../../codec/codec-base.ts";
import type { ReplyDecoder } from "../../codec/provider-codec.ts";
import { type Failure, truncated } from "../../ir/failure.ts";
import type { Event } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, numberOf, textOf, toArray, toText } from "../../json/json.ts";
import { usageEvents } from "../usage-events.ts";
import { readChoice, type Shared } from "./choice-reader.ts";
import { findError, readInBand } from "./decode-failure.ts";
import { findUsage, readUsage } from "./decode-usage.ts";
import { failureOf } from "./finish.ts";

/** More alternatives than any request can ask for. */
const MOST_CHOICES = 128;

/**
 * Reads the chunks of a reply, and whole bodies, which say `message` where chunks say `delta`. A choice ends where the
 * stream does: pieces may follow the reason.
 */
export function decodeReply(): ReplyDecoder {
  let events: Event[] = [];
  const emit = (event: Event): void => {
    events.push(event);
  };
  const choices = new Map<number, ReturnType<typeof readChoice>>();
  /** The choice of the last delta. */
  let current: ReturnType<typeof readChoice> | undefined;
  const shared: Shared = { parts: 0, id: "" };
  let started = false;
  let failed = false;
  const report = usageEvents();
  /** The error that the chunk ends with, after the content and the usage that it holds. */
  let failure: Failure | undefined;

  const begin = (wire: JsonObject): void => {
    if (started) return;
    const id = toText(wire.id);
    const model = toText(wire.model);
    const created = numberOf(wire.created);
    // Content filters send a chunk before the reply begins, without its id and model.
    if (id === "" && model === "" && toArray(wire.choices).length === 0) return;
    started = true;
    shared.id = id.replace(/^chatcmpl-/, "").replace(/[^A-Za-z0-9_-]/g, "");
    emit({
      type: "start",
      ...(id !== "" && { id }),
      ...(model !== "" && { model }),
      ...(created !== undefined && { created }),
    });
  };

  const fail = (failure: Failure): void => {
    failed = true;
    emit({ type: "failure", failure });
  };

  const choose = (json: Json, position: number): void => {
    if (!isObject(json) || failure) return;
    if (isObject(json.error)) {
      failure = readInBand(json);
      return;
    }
    const given = numberOf(json.index) ?? position;
    const which = Number.isInteger(given) && given >= 0 && given < MOST_CHOICES ? given : 0;
    let choice = choices.get(which);
    if (!choice) {
      choice = readChoice(which, shared, emit);
      choices.set(which, choice);
    }
    current = choice;
    failure = failureOf(json);
    choice.step(failure || textOf(json.finish_reason) === "" ? { ...json, finish_reason: null } : json);
  };

  const count = (wire: JsonObject): void => {
    const found = findUsage(wire);
    if (found) report(readUsage(found)).forEach(emit);
  };

  const finishAll = (): void => {
    for (const choice of choices.values()) choice.finish();
  };

  const take = (): Event[] => {
    const out = events;
    events = [];
    return out;
  };

  return {
    step(chunk) {
      if (failed) return [];
      if (chunk === DONE) {
        // A clean end is not a cut: a missing reason means a normal stop, except within the arguments of a call.
        if ([...choices.values()].some((choice) => choice.isCut())) fail(truncated);
        else finishAll();
        return take();
      }
      const error = findError(chunk);
      if (error) fail(readInBand(error));
      else if (isObject(chunk)) {
        begin(chunk);
        toArray(chunk.choices).forEach(choose);
        count(chunk);
        if (failure) fail(failure);
      }
      return take();
    },
    words: (text) => (failed ? undefined : current?.words(text)),
    end() {
      if (failed) return [];
      const all = [...choices.values()];
      if (all.length > 0 && all.every((choice) => choice.hasEnded())) finishAll();
      else fail(truncated);
      return take();
    },
  };
}
