import {
  type AnyCodec,
  chunkReader,
  collectLosses,
  DONE,
  type Head,
  type Loss,
  type Observation,
  parseWire,
  readFrames,
} from "@manifold-gateway/core";
import { chain, isObject, type Json, type Machine, noteBill, truncated } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";
import { MalformedReply } from "../fault.ts";
import { FRAME_LIMIT, type Framing, type StreamTransform } from "./stream-transform.ts";

/** Reads the chunks of a stream out of its bytes as they come. */
export interface Reader {
  step(bytes: Uint8Array): { data: string }[];
  end(): { data: string }[];
}

/** A stream of one protocol written in another. */
export function translateTransform(
  from: AnyCodec,
  to: AnyCodec,
  head: Head,
  restore: Machine<Event, Event>,
  framing: Framing,
  reader: Reader = readFrames(FRAME_LIMIT),
): StreamTransform & { losses: Loss[] } {
  const read = chain(from.reply.decode(), restore);
  const { losses, lose } = collectLosses();
  const encoder = to.reply.encode(head, lose);
  const readChunk = chunkReader(from);
  const { watch, observation } = watchEvents();
  let held = "";
  let holding = false;
  /** A chunk came. */
  let begun = false;

  const write = (chunks: Json[]): string => {
    let out = "";
    for (const chunk of chunks) {
      holding ||= to.frame.last(chunk);
      const text = framing.frame(chunk === DONE ? DONE : JSON.stringify(chunk), to.frame.event?.(chunk));
      if (holding) held += text;
      else out += text;
    }
    return out;
  };
  const events = (list: Event[], chunk?: Json): string => {
    let out = "";
    for (const event of list) {
      watch(event);
      const words = event.type === "delta" && !holding ? encoder.words?.(event) : undefined;
      if (words) {
        out += framing.frame(words.json, words.event);
        continue;
      }
      // Facts about the bill stand beside the counts or the end.
      if (chunk !== undefined && (event.type === "usage" || event.type === "finish"))
        noteBill(observation, from, chunk);
      // Some wires cannot report an error before they have begun: their first events are no reason to answer with
      // 200.
      holding ||= event.type === "failure";
      out += write(encoder.step(event));
    }
    return out;
  };
  const feed = (data: string): string => {
    // Some servers keep a connection alive by events of nothing.
    if (data.trim() === "") return "";
    begun = true;
    if (data === DONE) return events(read.step(DONE));
    const chunk = readChunk(data);
    if (chunk === undefined) throw new MalformedReply();
    return events(read.step(chunk), chunk);
  };

  return {
    losses,
    encoding: "utf8",
    push(bytes) {
      let out = "";
      for (const frame of reader.step(bytes)) out += feed(frame.data);
      return out;
    },
    finish(fault) {
      let out = "";
      if (fault === undefined) {
        for (const frame of reader.end()) out += feed(frame.data);
        if (!begun) throw new MalformedReply();
        out += events(read.end());
      } else if (!observation.failure && !observation.finish) {
        out += events([{ type: "failure", failure: { ...truncated, message: fault } }]);
      }
      out += write(encoder.end());
      return out + held + framing.close();
    },
    observation: () => observation,
  };
}

/** A whole body in place of a stream: its chunks are there once all of it is. */
export function readWhole(codec: AnyCodec): Reader {
  const decoder = new TextDecoder();
  let text = "";
  return {
    step(bytes) {
      text += decoder.decode(bytes, { stream: true });
      return [];
    },
    end() {
      const body = parseWire(text + decoder.decode());
      if (!isObject(body)) throw new MalformedReply();
      return codec.reply
        .burst(body)
        .map((chunk) => ({ data: chunk === DONE ? DONE : JSON.stringify(chunk) }));
    },
  };
}

/** Adds up what settling a reply needs to know. */
export function watchEvents(): { watch(event: Event): void; observation: Observation } {
  const observation: Observation = { content: 0 };
  return {
    observation,
    watch(event) {
      switch (event.type) {
        case "delta":
          observation.content += event.text.length;
          break;
        case "usage":
          observation.usage = event.usage;
          break;
        case "finish":
          observation.finish = event;
          break;
        case "failure":
          observation.failure = event.failure;
          break;
      }
    },
  };
}
