import { type FailureKind, parseWire, readChunk, readFrames, type Usage } from "@manifold-gateway/core";
import { type AssistantPart, type Event, type Finish, fold } from "@manifold-gateway/core/ir";
import { CODECS } from "./calls.ts";
import type { WireName } from "./wires.ts";

/** One event of a stream as it stood on the wire. */
export interface WireEvent {
  /** Milliseconds after the request. */
  at: number;
  name?: string;
  data: string;
}

/** A piece of an answer, whole as far as it has come. */
export interface AnswerPart {
  /** Its number in the answer. */
  index: number;
  /** The alternative that it belongs to. */
  choice: number;
  part: AssistantPart;
}

/** What has come of an answer since the last look. */
export interface Progress {
  parts: AnswerPart[];
  events: WireEvent[];
  /** When the first and the last piece of content came, in milliseconds after the request. */
  firstMs?: number;
  lastMs?: number;
  usage?: Usage;
  finish?: Finish;
  failure?: { kind: FailureKind; message: string };
}

export interface ReplyReader {
  /** Reads bytes of a stream. */
  step(bytes: Uint8Array): void;
  /** Reads a body that came whole. */
  body(text: string): void;
  end(): void;
  /** What is new, if anything. */
  take(): Progress | undefined;
}

/** Reads an answer in its protocol; `now` counts milliseconds from the request. */
export function createReplyReader(protocol: WireName, now: () => number): ReplyReader {
  const { reply } = CODECS[protocol];
  const frames = readFrames();
  const machine = reply.decode();
  const partEvents = new Map<number, Event[]>();
  const changed = new Set<number>();
  let news: Progress | undefined;
  const noted = (): Progress => {
    news ??= { parts: [], events: [] };
    return news;
  };

  const note = (event: Event): void => {
    switch (event.type) {
      case "open":
      case "delta":
      case "cite":
      case "logprobs":
      case "close": {
        const events = partEvents.get(event.index) ?? [];
        events.push(event);
        partEvents.set(event.index, events);
        changed.add(event.index);
        if (event.type !== "close") contentCame();
        break;
      }
      case "usage":
        if (event.usage) noted().usage = event.usage;
        break;
      case "finish": {
        const { type: _, choice: _choice, ...finish } = event;
        noted().finish = finish;
        break;
      }
      case "failure":
        noted().failure = { kind: event.failure.kind, message: event.failure.message };
        break;
    }
  };
  let firstMs: number | undefined;
  const contentCame = (): void => {
    const at = now();
    firstMs ??= at;
    Object.assign(noted(), { firstMs, lastMs: at });
  };
  const partAt = (index: number): AnswerPart[] => {
    const events = partEvents.get(index) ?? [];
    const opened = events.find((event) => event.type === "open");
    const [part] = fold(events).choices.flatMap(({ parts }) => parts);
    return part ? [{ index, choice: opened?.choice ?? 0, part }] : [];
  };

  return {
    step(bytes) {
      for (const frame of frames.step(bytes)) read(frame);
    },
    body(text) {
      const body = parseWire(text);
      noted().events.push({ at: now(), data: text });
      if (body === undefined) throw new Error("The answer is no JSON.");
      for (const chunk of reply.burst(body)) for (const event of machine.step(chunk)) note(event);
    },
    end() {
      for (const frame of frames.end()) read(frame);
      for (const event of machine.end()) note(event);
    },
    take() {
      if (changed.size > 0) noted().parts = [...changed].flatMap(partAt);
      changed.clear();
      const taken = news;
      news = undefined;
      return taken;
    },
  };

  function read(frame: { event?: string; data: string }): void {
    const { event: name, data } = frame;
    noted().events.push({ at: now(), ...(name !== undefined && { name }), data });
    for (const event of machine.step(readChunk(frame))) note(event);
  }
}
