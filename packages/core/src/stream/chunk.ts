import type { AnyCaller } from "../codec/codec.ts";
import { DONE } from "../codec/codec-base.ts";
import { isObject, type Json } from "../json/json.ts";
import { parseWire } from "./long-integers.ts";
import type { Frame } from "./read-frames.ts";
import { writeFrame } from "./write-frame.ts";

/**
 * The chunk that a frame holds, on a wire of the library's own; for others see `chunkReader`. Anything but JSON stays
 * text, of which every codec reads what it can.
 */
export function readChunk({ data }: Frame): Json {
  const chunk = parseWire(data);
  return chunk === undefined ? data : chunk;
}

/** A chunk as the clients of a codec's wire expect it: with its event name, where the wire has names. */
export const writeChunk = (chunk: Json, codec: AnyCaller): string =>
  writeFrame(
    chunk === DONE ? DONE : JSON.stringify(chunk),
    isObject(chunk) ? codec.frame.event?.(chunk) : undefined,
  );
