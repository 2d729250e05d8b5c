import { noTrace } from "../../codec/caller-codec.ts";
import { DONE } from "../../codec/codec-base.ts";
import { hash } from "../../codec/hash.ts";
import type { ReplyDecoder } from "../../codec/provider-codec.ts";
import { truncated } from "../../ir/failure.ts";
import type { Event } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { usageEvents } from "../usage-events.ts";
import { type CandidateReader, readCandidate, type Shared } from "./candidate-reader.ts";
import { readInBand } from "./decode-failure.ts";
import { mergeUsage, toUsage } from "./decode-usage.ts";
import { findError } from "./failure.ts";

/** The most alternatives there can be; other numbers are not candidates. */
const MOST = 64;

/** Reads chunks. Each adds to the ones before; only the end of the stream shows which finish was the last. */
export function decodeReply(): ReplyDecoder {
  const candidates = new Map<number, CandidateReader>();
  let calls = 0;
  let prefix: string | undefined;
  let counted: JsonObject = {};
  const report = usageEvents();
  let failed = false;
  let out: Event[] = [];

  const emit = (event: Event): void => {
    out.push(event);
  };
  const shared: Shared = {
    parts: 0,
    reader: { trace: noTrace, idOf: (node) => toText(node.id) || `call_${prefix}_${calls++}` },
  };

  const enter = (index: number): CandidateReader => {
    const known = candidates.get(index);
    if (known) return known;
    const candidate = readCandidate(index, shared, emit);
    candidates.set(index, candidate);
    return candidate;
  };

  const readOne = (json: Json): void => {
    const wire = toObject(json);
    const index = typeof wire.index === "number" && Number.isInteger(wire.index) ? wire.index : 0;
    if (index >= 0 && index < MOST) enter(index).read(wire);
  };

  const block = (feedback: JsonObject): void => {
    const raw = toText(feedback.blockReason);
    if (raw !== "" && candidates.size === 0) enter(0).block(raw, textOf(feedback.blockReasonMessage));
  };

  const start = (chunk: JsonObject): void => {
    const id = textOf(chunk.responseId);
    const model = textOf(chunk.modelVersion);
    const created = Math.floor(Date.parse(toText(chunk.createTime)) / 1000);
    // Replies without an id get one each, so that their calls do not share ids.
    prefix = (id ?? hash(JSON.stringify(chunk))).replace(/[^A-Za-z0-9_-]/g, "").slice(0, 28);
    emit({
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
      emit({ type: "failure", failure: readInBand(error) });
      return;
    }
    if (prefix === undefined) start(chunk);
    toArray(chunk.candidates).forEach(readOne);
    block(toObject(chunk.promptFeedback));
    const { usageMetadata = null } = chunk;
    if (usageMetadata === null) return;
    counted = mergeUsage(counted, usageMetadata);
    report(toUsage(counted)).forEach(emit);
  };

  const drain = (): Event[] => {
    const events = out;
    out = [];
    return events;
  };

  return {
    step(json) {
      // A clean end is not a cut: a missing reason means a normal stop.
      if (json === DONE) for (const candidate of candidates.values()) candidate.endClean();
      // The endpoint that streams without events gives one list.
      for (const chunk of Array.isArray(json) ? json : [json]) read(chunk);
      return drain();
    },
    end() {
      if (failed) return [];
      const all = [...candidates].sort(([a], [b]) => a - b).map(([, candidate]) => candidate);
      if (all.length === 0 || all.some(({ isEnded }) => !isEnded))
        return [{ type: "failure", failure: truncated }];
      for (const candidate of all) candidate.close();
      for (const candidate of all) candidate.finish();
      return drain();
    },
  };
}
