import {
  type AnyCodec,
  chunkReader,
  collectLosses,
  DONE,
  type Head,
  type Loss,
  protocols as libraryProtocols,
  type Observation,
  type Protocols,
  parseWire,
  readFrames,
} from "@manifold-gateway/core";
import { chain, isObject, type Json, type Machine, noteBill, truncated } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";
import { MalformedReply } from "../http/fault.ts";
import { FRAME_LIMIT, type Framing, type StreamTransform } from "./stream-transform.ts";

/** Reads chunks from the bytes of a stream as they arrive. */
export interface Reader {
  step(bytes: Uint8Array): { data: string }[];
  end(): { data: string }[];
}

/** Translates a stream of one protocol to another. */
export function translateTransform(
  from: AnyCodec,
  to: AnyCodec,
  head: Head,
  restore: Machine<Event, Event>,
  framing: Framing,
  options: { reader?: Reader | undefined; protocols?: Protocols } = {},
): StreamTransform & { losses: Loss[] } {
  const read = chain(from.reply.decode(), restore);
  const { losses, lose } = collectLosses();
  const encoder = to.reply.encode(head, lose);
  const { reader = readFrames(FRAME_LIMIT), protocols = libraryProtocols } = options;
  const readChunk = chunkReader(from, protocols);
  const { watch, observation } = watchEvents();
  let held = "";
  let holding = false;
  /** Whether a chunk has arrived. */
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
      // Facts about billing are in the chunk of the usage or of the finish.
      if (chunk !== undefined && (event.type === "usage" || event.type === "finish"))
        noteBill(observation, from, chunk);
      // A protocol may have to write its first events before an error. They are held with it, so that the error can
      // still be answered with its own status.
      holding ||= event.type === "failure";
      out += write(encoder.step(event));
    }
    return out;
  };
  const feed = (data: string): string => {
    // Some servers keep a connection alive by empty events.
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

/** Reads a unary body in place of a stream: its chunks are returned at the end. */
export function readWhole(codec: AnyCodec, protocols: Protocols): Reader {
  const decoder = new TextDecoder();
  let text = "";
  return {
    step(bytes) {
      text += decoder.decode(bytes, { stream: true });
      return [];
    },
    end() {
      const body = parseWire(text + decoder.decode(), protocols);
      if (!isObject(body)) throw new MalformedReply();
      return codec.reply
        .burst(body)
        .map((chunk) => ({ data: chunk === DONE ? DONE : JSON.stringify(chunk) }));
    },
  };
}

/** Collects from events what the settlement of a reply needs. */
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
