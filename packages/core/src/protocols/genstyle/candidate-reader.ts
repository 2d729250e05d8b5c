import type { CallPart, Event, Finish, Opening, Part, ReasoningPart, TextPart } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { readCall } from "./decode-calls.ts";
import { placeIn, readLogprobs, readSupports, type Support } from "./decode-citations.ts";
import { decodePart } from "./decode-parts.ts";
import { finishWordOf, toFinish } from "./finish.ts";
import { grow, type PartialCall } from "./partial-calls.ts";
import { type Reader, readSeal } from "./parts.ts";

/** State that the candidates of one reply share. */
export interface Shared {
  /** Counts the parts of the reply. */
  parts: number;
  reader: Reader;
}

/** The text that is being written. */
interface Open {
  kind: "text" | "reasoning";
  index: number;
  text: string;
  /** Its signature came: what follows is another text. */
  isSealed?: true;
}

/** Why a candidate ended. */
interface Ending {
  raw?: string;
  note?: string | undefined;
  /** It is the prompt that was refused. */
  isBlocked?: true;
}

/** Reads the pieces of one candidate. */
export interface CandidateReader {
  read(candidate: JsonObject): void;
  /** Ends it for what the prompt was refused for. */
  block(raw: string, note: string | undefined): void;
  /** Ends it without a reason, if none came. */
  endClean(): void;
  readonly isEnded: boolean;
  /** Closes what is open. */
  close(): void;
  /** Emits why it ended. */
  finish(): void;
}

export function readCandidate(
  candidateIndex: number,
  shared: Shared,
  emit: (event: Event) => void,
): CandidateReader {
  const where = candidateIndex > 0 && { choice: candidateIndex };
  /** Citations by their JSON, and whether they were emitted: servers repeat them. */
  const supports = new Map<string, { support: Support; isEmitted: boolean }>();
  let open: Open | undefined;
  let partial: PartialCall | undefined;
  let called = false;
  let ending: Ending | undefined;

  const cite = (isLast: boolean): void => {
    if (open?.kind !== "text") return;
    for (const entry of supports.values()) {
      const spanned = entry.support.end !== undefined || entry.support.text !== undefined;
      const citation =
        entry.isEmitted || !(spanned || isLast) ? undefined : placeIn(open.text, entry.support);
      if (!citation) continue;
      entry.isEmitted = true;
      emit({ type: "cite", index: open.index, citation });
    }
  };

  const close = (isLast = false): void => {
    if (!open) return;
    cite(isLast);
    emit({ type: "close", index: open.index });
    open = undefined;
  };

  const begin = (part: Opening): number => {
    const index = shared.parts++;
    emit({ type: "open", index, ...where, part });
    return index;
  };

  const text = ({ text: content, ...opening }: TextPart): void => {
    if (open?.kind !== "text" || open.isSealed || opening.extra) {
      close();
      open = { index: begin(opening), kind: "text", text: "" };
    }
    open.text += content;
    emit({ type: "delta", index: open.index, text: content });
  };

  const reasoning = ({ text: content, seal, ...opening }: ReasoningPart, isThought: boolean): void => {
    if (!isThought && seal) {
      // The signature of a text comes behind it. The text stays open: its sources may still follow.
      if (open?.kind === "text") open.isSealed = true;
      else close();
      emit({ type: "close", index: begin(opening), seal });
      return;
    }
    if (open?.kind !== "reasoning" || opening.redacted) {
      close();
      open = { index: begin(opening), kind: "reasoning", text: "" };
    }
    const { index } = open;
    if (content !== "") emit({ type: "delta", index, text: content });
    if (!seal) return;
    emit({ type: "close", index, seal });
    open = undefined;
  };

  const whole = (part: Exclude<Part, TextPart | ReasoningPart>): void => {
    if (part.type === "result") return;
    close();
    if (part.type === "call") called = true;
    const { arguments: args, ...opening } = part as CallPart;
    const index = begin(opening);
    if (part.type === "call" && args !== "") emit({ type: "delta", index, text: args });
    emit({ type: "close", index });
  };

  const complete = (): void => {
    if (!partial) return;
    close();
    const index = begin(partial.opening);
    emit({ type: "delta", index, text: JSON.stringify(partial.args) });
    emit({ type: "close", index });
    partial = undefined;
  };

  /** Reads a call whose arguments are streamed; says whether the part is one. */
  const streamed = (part: JsonObject): boolean => {
    const { functionCall: call } = part;
    if (!isObject(call)) return false;
    const named = toText(call.name) !== "";
    if (named) complete();
    if (!named && !partial) return call.name === undefined;
    if (named && call.partialArgs === undefined && call.willContinue !== true) return false;
    if (named) {
      const { arguments: _, ...opening } = readCall(part, call, shared.reader);
      called = true;
      partial = { opening, args: { ...toObject(call.args) } };
    }
    if (partial) {
      const seal = readSeal(part.thoughtSignature);
      if (seal) partial.opening.seal = seal;
      grow(partial, call.partialArgs);
    }
    if (call.willContinue !== true) complete();
    return true;
  };

  const take = (json: Json): void => {
    const wire = toObject(json);
    if (streamed(wire)) return;
    for (const part of decodePart(json, "assistant", "", shared.reader)) {
      if (part.type === "text") text(part);
      else if (part.type === "reasoning") reasoning(part, wire.thought === true);
      else whole(part);
    }
  };

  return {
    read(candidate) {
      for (const support of readSupports(candidate)) {
        const key = JSON.stringify(support);
        if (!supports.has(key)) supports.set(key, { support, isEmitted: false });
      }
      for (const part of toArray(toObject(candidate.content).parts)) take(part);
      const tokens = readLogprobs(candidate.logprobsResult);
      if (tokens.length > 0 && open?.kind === "text") emit({ type: "logprobs", index: open.index, tokens });
      const raw = finishWordOf(candidate.finishReason);
      if (raw !== "") ending = { raw, note: textOf(candidate.finishMessage) };
    },
    block(raw, note) {
      ending = { raw, note, isBlocked: true };
    },
    endClean() {
      ending ??= {};
    },
    get isEnded() {
      return ending !== undefined;
    },
    close() {
      complete();
      close(true);
    },
    finish() {
      if (ending) emit({ type: "finish", ...where, ...endOf(ending, called) });
    },
  };
}

function endOf({ raw, note, isBlocked }: Ending, called: boolean): Finish {
  // A prompt that was refused has no candidate: the answer is an empty one.
  if (!isBlocked) return toFinish(raw, called, note);
  return { reason: "content_filter", ...(raw !== undefined && { raw }), ...(note && { note }) };
}
