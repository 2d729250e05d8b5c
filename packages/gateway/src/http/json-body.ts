import { type Edits, protocols as libraryProtocols, type Protocols, splice } from "@manifold-gateway/core";
import { holdsSeal, type JsonObject } from "@manifold-gateway/core/codec";
import type { RequestBody } from "@manifold-gateway/core/plan";
import type { Payload, Pieces } from "@manifold-gateway/providers";
import { releaseBuffer } from "./buffer-release.ts";
import { decoded, LargeString, type LazyJson, type LazyObject } from "./lazy-json.ts";
import { type Measure, Measured } from "./measure.ts";
import { COPIED, filled, SEAL_LIMIT, type Skeleton } from "./skeleton.ts";

/** A JSON body: the bytes, to forward them unchanged, and the value, to read it. */
export class JsonBody implements RequestBody<Payload> {
  /** The length of the text as it arrived, in bytes. */
  readonly size: number;
  /** The text without its long strings. */
  skeleton: Skeleton;
  /** The object with its long strings not decoded, for readers that do not need media. */
  lazy: LazyObject;
  /** The protocols of the gateway: the body is read by the facts of their wires. */
  readonly protocols: Protocols;
  #bytes: Uint8Array | undefined;
  #value: JsonObject | undefined;
  #measure: Measure | undefined;
  /** The number of readers that have begun taking its pieces and not finished. */
  #readers = 0;
  #isReleased = false;

  constructor(
    bytes: Uint8Array,
    skeleton: Skeleton,
    lazy: LazyObject,
    protocols: Protocols = libraryProtocols,
  ) {
    this.size = bytes.byteLength;
    this.#bytes = bytes;
    this.skeleton = skeleton;
    this.lazy = lazy;
    this.protocols = protocols;
  }

  /** The text as it arrived. */
  get bytes(): Uint8Array {
    if (!this.#bytes) throw released();
    return this.#bytes;
  }

  get value(): JsonObject {
    const isWhole = this.skeleton.largeStrings.length === 0;
    this.#value ??= (isWhole ? this.lazy : decoded(this.lazy, this.protocols)) as JsonObject;
    return this.#value;
  }

  /** The measures of the body. They are taken once. */
  get measure(): Measure {
    this.#measure ??= new Measured(this.lazy, this.protocols);
    return this.#measure;
  }

  /** Checks whether the body contains a seal of another vendor. Seals are short: inline media is skipped. */
  holdsSeal(): boolean {
    const { text } = this.skeleton;
    return text.length < SEAL_LIMIT ? holdsSeal(text) : hasSeal(this.lazy);
  }

  /** The text with changed top-level members; without changes, the bytes as they arrived. */
  edited(edits: Edits): Payload {
    const isEdited = Object.keys(edits).length > 0;
    const sent = isEdited ? filled(splice(this.skeleton.text, edits), this.skeleton) : this.#bytes;
    if (!sent) throw released();
    if (typeof sent === "string") return sent;
    if (Array.isArray(sent)) return this.#lend(sent);
    return sent.length < COPIED ? sent : this.#lend([sent]);
  }

  /** Hands out pieces and records when all of them have been taken. */
  #lend(pieces: readonly Uint8Array[]): Pieces {
    const take = function* (this: JsonBody): Generator<Uint8Array> {
      if (this.#isReleased) throw released();
      this.#readers += 1;
      yield* pieces;
      // Skipped if the reader stops early: pieces that it took may still be in use by a socket.
      this.#readers -= 1;
    };
    const length = pieces.reduce((bytes, piece) => bytes + piece.byteLength, 0);
    return { length, [Symbol.iterator]: take.bind(this) };
  }

  /**
   * Lets go of a body that no other entry will be sent. Its measures remain, and the bytes of a large one, which may
   * still be on their way: `release` frees them.
   */
  forget(): void {
    this.#measure = this.measure;
    this.skeleton = forgotten as unknown as Skeleton;
    this.lazy = forgotten as LazyObject;
    this.#value = undefined;
    if (this.size < COPIED) this.#bytes = undefined;
  }

  /**
   * Frees the memory of a large body, unless some of it is still being sent. After that, neither the body nor values
   * made from it may be read.
   */
  release(): void {
    if (this.#readers > 0 || this.size < COPIED) return;
    this.#isReleased = true;
    releaseBuffer(this.bytes);
  }
}

/** Stands for what was let go: a revoked proxy, of which any reading throws. */
const forgotten = revoked();

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable<object>({}, {});
  revoke();
  return proxy;
}

const released = (): Error => new Error("The memory of this body has been released.");

function hasSeal(node: LazyJson): boolean {
  if (node instanceof LargeString) return false;
  if (typeof node === "string") return node.length < SEAL_LIMIT && holdsSeal(node);
  return typeof node === "object" && node !== null && Object.values(node).some(hasSeal);
}

/** Makes a body of an object that did not arrive as JSON. */
export function toJsonBody(value: JsonObject, protocols?: Protocols): JsonBody {
  const text = JSON.stringify(value);
  return new JsonBody(Buffer.from(text), { text, largeStrings: [] }, value, protocols);
}
