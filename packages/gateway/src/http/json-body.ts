import { type Edits, splice } from "@manifold/core";
import type { JsonObject } from "@manifold/core/codec";
import { decoded, type LazyObject } from "./lazy-json.ts";
import { filled, type Skeleton } from "./skeleton.ts";

/** A JSON object as it came: the bytes for faithful forwarding, the value for looking at. */
export class JsonBody {
  /** The text as it arrived. */
  readonly bytes: Uint8Array;
  /** The text, without what is not decoded in `brief`. */
  readonly outline: Skeleton;
  /** The object, its long strings not decoded, for readers that do not look into media. */
  readonly brief: LazyObject;
  #value: JsonObject | undefined;

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
  edited(edits: Edits): string | Uint8Array {
    return Object.keys(edits).length > 0
      ? filled(splice(this.outline.text, edits), this.outline)
      : this.bytes;
  }
}

/** The body that an object is, which came in another form. */
export function toJsonBody(value: JsonObject): JsonBody {
  const text = JSON.stringify(value);
  return new JsonBody(Buffer.from(text), { text, inlines: [] }, value);
}
