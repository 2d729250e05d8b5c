import { noTrace } from "../../codec/caller-codec.ts";
import { DONE } from "../../codec/codec-base.ts";
import { hash } from "../../codec/hash.ts";
import type { Machine } from "../../codec/machine.ts";
import { truncated } from "../../ir/failure.ts";
import type { CallPart, Event, Finish, Part, ReasoningPart, TextPart } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { type Reader, readSeal } from "./context.ts";
import { readCall } from "./decode-calls.ts";
import { placeIn, readLogprobs, readSupports, type Support } from "./decode-citations.ts";
import { readInBand } from "./decode-failure.ts";
import { decodePart } from "./decode-parts.ts";
import { mergeUsage, toUsage } from "./decode-usage.ts";
import { findError } from "./failure.ts";
import { finishWordOf, toFinish } from "./finish.ts";
import { grow, type PartialCall } from "./partial-calls.ts";

/** The state of one candidate. */
interface Choice {
  index: number;
  open?: { index: number; kind: "text" | "reasoning"; text: string; sealed?: true };
  partial?: PartialCall;
  called: boolean;
  /** Citations by their JSON, and whether they were emitted: servers repeat them. */
  supports: Map<string, { support: Support; emitted: boolean }>;
  finish?: { raw?: string; note?: string; blocked?: true };
}

/** The most alternatives there can be; other numbers are not candidates. */
const MOST = 64;

/** Reads chunks. Each adds to the ones before; only the end of the stream shows which finish was the last. */
export function decodeReply(): Machine<Json, Event> {
  const choices = new Map<number, Choice>();
  let next = 0;
  let calls = 0;
  let prefix: string | undefined;
  let counted: JsonObject = {};
  let lastUsage: string | undefined;
  let failed = false;
  let out: Event[] = [];

  const enter = (index: number): Choice => {
    const known = choices.get(index);
    if (known) return known;
    const choice: Choice = { index, called: false, supports: new Map() };
    choices.set(index, choice);
    return choice;
  };

  const reader: Reader = { trace: noTrace, idOf: (node) => toText(node.id) || `call_${prefix}_${calls++}` };

  const cite = ({ open, supports }: Choice, last: boolean): void => {
    if (open?.kind !== "text") return;
    for (const entry of supports.values()) {
      const spanned = entry.support.end !== undefined || entry.support.text !== undefined;
      const citation = entry.emitted || !(spanned || last) ? undefined : placeIn(open.text, entry.support);
      if (!citation) continue;
      entry.emitted = true;
      out.push({ type: "cite", index: open.index, citation });
    }
  };

  const close = (choice: Choice, last = false): void => {
    if (!choice.open) return;
    cite(choice, last);
    out.push({ type: "close", index: choice.open.index });
    delete choice.open;
  };

  const begin = ({ index: which }: Choice, part: Extract<Event, { type: "open" }>["part"]): number => {
    const index = next++;
    out.push({ type: "open", index, ...(which > 0 && { choice: which }), part });
    return index;
  };

  const text = (choice: Choice, { text: content, ...opening }: TextPart): void => {
    let { open } = choice;
    if (open?.kind !== "text" || open.sealed || opening.extra) {
      close(choice);
      open = { index: begin(choice, opening), kind: "text", text: "" };
      choice.open = open;
    }
    open.text += content;
    out.push({ type: "delta", index: open.index, text: content });
  };

  const reasoning = (choice: Choice, part: ReasoningPart, thought: boolean): void => {
    const { text: content, seal, ...opening } = part;
    if (!thought && seal) {
      // The signature of a text comes behind it. The text stays open: its sources may still follow.
      if (choice.open?.kind === "text") choice.open.sealed = true;
      else close(choice);
      out.push({ type: "close", index: begin(choice, opening), seal });
      return;
    }
    if (choice.open?.kind !== "reasoning" || opening.redacted) {
      close(choice);
      choice.open = { index: begin(choice, opening), kind: "reasoning", text: "" };
    }
    const { index } = choice.open;
    if (content !== "") out.push({ type: "delta", index, text: content });
    if (!seal) return;
    out.push({ type: "close", index, seal });
    delete choice.open;
  };

  const whole = (choice: Choice, part: Exclude<Part, TextPart | ReasoningPart>): void => {
    if (part.type === "result") return;
    close(choice);
    if (part.type === "call") choice.called = true;
    const { arguments: args, ...opening } = part as CallPart;
    const index = begin(choice, opening);
    if (part.type === "call" && args !== "") out.push({ type: "delta", index, text: args });
    out.push({ type: "close", index });
  };

  const complete = (choice: Choice): void => {
    const { partial } = choice;
    if (!partial) return;
    close(choice);
    const index = begin(choice, partial.opening);
    out.push({ type: "delta", index, text: JSON.stringify(partial.args) });
    out.push({ type: "close", index });
    delete choice.partial;
  };

  /** A call whose arguments are streamed; says whether the part is one. */
  const streamed = (choice: Choice, part: JsonObject): boolean => {
    const { functionCall: call } = part;
    if (!isObject(call)) return false;
    const named = toText(call.name) !== "";
    if (named) complete(choice);
    if (!named && !choice.partial) return call.name === undefined;
    if (named && call.partialArgs === undefined && call.willContinue !== true) return false;
    if (named) {
      const { arguments: _, ...opening } = readCall(part, call, reader);
      choice.called = true;
      choice.partial = { opening, args: { ...toObject(call.args) } };
    }
    if (choice.partial) {
      const seal = readSeal(part.thoughtSignature);
      if (seal) choice.partial.opening.seal = seal;
      grow(choice.partial, call.partialArgs);
    }
    if (call.willContinue !== true) complete(choice);
    return true;
  };

  const take = (choice: Choice, json: Json): void => {
    const wire = toObject(json);
    if (streamed(choice, wire)) return;
    for (const part of decodePart(json, "assistant", "", reader)) {
      if (part.type === "text") text(choice, part);
      else if (part.type === "reasoning") reasoning(choice, part, wire.thought === true);
      else whole(choice, part);
    }
  };

  const candidate = (json: Json): void => {
    const record = toObject(json);
    const { index, content, finishReason, finishMessage } = record;
    const which = typeof index === "number" && Number.isInteger(index) ? index : 0;
    if (which < 0 || which >= MOST) return;
    const choice = enter(which);
    for (const support of readSupports(record)) {
      const key = JSON.stringify(support);
      if (!choice.supports.has(key)) choice.supports.set(key, { support, emitted: false });
    }
    for (const part of toArray(toObject(content).parts)) take(choice, part);
    const tokens = readLogprobs(record.logprobsResult);
    if (tokens.length > 0 && choice.open?.kind === "text")
      out.push({ type: "logprobs", index: choice.open.index, tokens });
    const raw = finishWordOf(finishReason);
    const note = textOf(finishMessage);
    if (raw !== "") choice.finish = { raw, ...(note && { note }) };
  };

  const blocked = (feedback: JsonObject): void => {
    const raw = toText(feedback.blockReason);
    const note = textOf(feedback.blockReasonMessage);
    if (raw === "" || choices.size > 0) return;
    enter(0).finish = { raw, ...(note && { note }), blocked: true };
  };

  const start = (chunk: JsonObject): void => {
    const id = textOf(chunk.responseId);
    const model = textOf(chunk.modelVersion);
    const created = Math.floor(Date.parse(toText(chunk.createTime)) / 1000);
    // Replies without an id get one each, so that their calls do not share ids.
    prefix = (id ?? hash(JSON.stringify(chunk))).replace(/[^A-Za-z0-9_-]/g, "").slice(0, 28);
    out.push({
      type: "start",
      ...(id !== undefined && { id }),
      ...(model !== undefined && { model }),
      ...(Number.isFinite(created) && { created }),
    });
  };

  const read = (chunk: Json): void => {
    if (failed || !isObject(chunk)) return;
    const error = findError(chunk);
    if (error) {
      failed = true;
      out.push({ type: "failure", failure: readInBand(error) });
      return;
    }
    if (prefix === undefined) start(chunk);
    toArray(chunk.candidates).forEach(candidate);
    blocked(toObject(chunk.promptFeedback));
    const { usageMetadata = null } = chunk;
    if (usageMetadata === null) return;
    counted = mergeUsage(counted, usageMetadata);
    const reported = toUsage(counted);
    const now = JSON.stringify(reported?.usage);
    if (!reported || now === lastUsage) return;
    lastUsage = now;
    out.push({ type: "usage", ...reported });
  };

  const drain = (): Event[] => {
    const events = out;
    out = [];
    return events;
  };

  return {
    step(json) {
      // A clean end is not a cut: a missing reason means a normal stop.
      if (json === DONE) for (const choice of choices.values()) choice.finish ??= {};
      // The endpoint that streams without events gives one list.
      for (const chunk of Array.isArray(json) ? json : [json]) read(chunk);
      return drain();
    },
    end() {
      if (failed) return [];
      const all = [...choices.values()].sort((a, b) => a.index - b.index);
      if (all.length === 0 || all.some(({ finish }) => !finish))
        return [{ type: "failure", failure: truncated }];
      for (const choice of all) {
        complete(choice);
        close(choice, true);
      }
      for (const { index, called, finish } of all)
        if (finish)
          out.push({
            type: "finish",
            ...(index > 0 && { choice: index }),
            ...endOf(finish, called),
          });
      return drain();
    },
  };
}

function endOf({ raw, note, blocked }: NonNullable<Choice["finish"]>, called: boolean): Finish {
  // A prompt that was refused has no candidate: the answer is an empty one.
  if (blocked)
    return {
      reason: "content_filter",
      ...(raw !== undefined && { raw }),
      ...(note !== undefined && { note }),
    };
  return toFinish(raw, called, note);
}
