import type { Usage } from "@manifold-gateway/core";
import type { Finish } from "@manifold-gateway/core/ir";
import type { RunMessage } from "../codecs/messages.ts";
import type { AnswerPart, WireEvent } from "../codecs/reply-reader.ts";

/** One request of the playground, as far as it has come. */
export interface Run {
  state: "running" | "done" | "failed" | "stopped";
  /** The pieces of the answer, in order. */
  parts: readonly AnswerPart[];
  fault?: string;
  finish?: Finish;
  usage?: Usage;
  status?: number;
  headers: Readonly<Record<string, string>>;
  /** The first events of the stream, and how many there were. */
  events: readonly WireEvent[];
  eventCount: number;
  /** Milliseconds after the request: of the first and last piece of content, and of the end. */
  firstMs?: number;
  lastMs?: number;
  tookMs?: number;
}

export const startedRun: Run = { state: "running", parts: [], headers: {}, events: [], eventCount: 0 };

/** The most events of a stream that are kept to be looked at. */
const MOST_EVENTS = 1_000;

/** A run with what was reported about it. */
export function advance(run: Run, message: RunMessage): Run {
  switch (message.type) {
    case "head":
      return { ...run, status: message.status, headers: Object.fromEntries(message.headers) };
    case "progress": {
      const { parts, events, failure, ...more } = message.progress;
      return {
        ...run,
        ...more,
        parts: merged(run.parts, parts),
        events: run.events.concat(events.slice(0, MOST_EVENTS - run.events.length)),
        eventCount: run.eventCount + events.length,
        ...(failure && { fault: failure.message }),
      };
    }
    case "end": {
      const fault = message.refusal?.message ?? message.fault ?? run.fault;
      const state = message.isStopped ? "stopped" : fault === undefined ? "done" : "failed";
      return { ...run, state, tookMs: message.ms, ...(fault !== undefined && { fault }) };
    }
  }
}

function merged(parts: readonly AnswerPart[], changed: readonly AnswerPart[]): AnswerPart[] {
  const all = new Map(parts.map((one) => [one.index, one]));
  for (const one of changed) all.set(one.index, one);
  return [...all.values()].sort((a, b) => a.index - b.index);
}

/** The least time that gives a rate: what comes at once shows how it was sent, not how it was generated. */
const LEAST_MS = 100;

/** Generated tokens per second, from the first piece to the last. */
export function rateOf({ usage, firstMs = 0, lastMs = 0 }: Run): number | undefined {
  const ms = lastMs - firstMs;
  return usage && usage.output > 0 && ms >= LEAST_MS ? (usage.output / ms) * 1_000 : undefined;
}

/** The generation that a run is, by which its record is found. */
export const generationOf = ({ headers }: Run): string | undefined => headers["x-generation-id"];
