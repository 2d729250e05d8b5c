import { type Edits, splice } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Payload, Pieces } from "@manifold-gateway/providers";
import { decoded, type LazyObject } from "./lazy-json.ts";
import { giveBack } from "./own-memory.ts";
import { COPIED, filled, type Skeleton } from "./skeleton.ts";

/** A JSON object as it came: the bytes for faithful forwarding, the value for looking at. */
export class JsonBody {
  /** The text as it arrived. */
  readonly bytes: Uint8Array;
  /** The text, without what is not decoded in `brief`. */
  readonly outline: Skeleton;
  /** The object, its long strings not decoded, for readers that do not look into media. */
  readonly brief: LazyObject;
  #value: JsonObject | undefined;
  /** How many are in the middle of taking its pieces, or stopped there. */
  #readers = 0;
  #isReleased = false;

  constructor(bytes: Uint8Array, outline: Skeleton, brief: LazyObject) {
    this.bytes = bytes;
    this.outline = outline;
    this.brief = brief;
  }

  get value(): JsonObject {
    this.#value ??= (this.outline.inlines.length > 0 ? decoded(this.brief) : this.brief) as JsonObject;
    return this.#value;
  }

  /** The text with top-level members changed; without changes the bytes as they came. */
  edited(edits: Edits): Payload {
    const isEdited = Object.keys(edits).length > 0;
    const sent = isEdited ? filled(splice(this.outline.text, edits), this.outline) : this.bytes;
    if (typeof sent === "string") return sent;
    if (Array.isArray(sent)) return this.#lend(sent);
    return sent.length < COPIED ? sent : this.#lend([sent]);
  }

  /** The pieces, with a note of whether all of them have been taken. */
  #lend(pieces: readonly Uint8Array[]): Pieces {
    const take = function* (this: JsonBody): Generator<Uint8Array> {
      if (this.#isReleased) throw new Error("The memory of this body has been released.");
      this.#readers += 1;
      yield* pieces;
      // Not after an early end: what was taken may still be on its way.
      this.#readers -= 1;
    };
    const length = pieces.reduce((bytes, piece) => bytes + piece.byteLength, 0);
    return { length, [Symbol.iterator]: take.bind(this) };
  }

  /**
   * Gives the memory of a large body back, unless some of it is still being sent. Nothing may be read from the body
   * after that, nor from what was made of its value.
   */
  release(): void {
    if (this.#readers > 0 || this.bytes.length < COPIED) return;
    this.#isReleased = true;
    giveBack(this.bytes);
  }
}

/** The body that an object is, which came in another form. */
export function toJsonBody(value: JsonObject): JsonBody {
  const text = JSON.stringify(value);
  return new JsonBody(Buffer.from(text), { text, inlines: [] }, value);
}
