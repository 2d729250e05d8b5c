import type { JsonObject } from "@manifold-gateway/core/codec";
import { formSurroundings, jsonSurroundings } from "@manifold-gateway/core/operations";
import type { MediaSource } from "@manifold-gateway/media";
import type { Payload } from "@manifold-gateway/providers";
import type { Releasable } from "../ports/context.ts";
import { joined, type Span, type Spool } from "./spool.ts";

/** A part of a form that was received. */
export interface ReceivedPart {
  name: string;
  /** Where it begins with its boundary, and its contents. */
  from: number;
  contents: Span;
}

/** The form that a file came in, which can be sent on as it is. */
export interface ReceivedForm {
  /** The content type, with the boundary. */
  type: string;
  /** All parts, in order. */
  parts: readonly ReceivedPart[];
  /** Where the last boundary begins. */
  end: number;
}

/** The facts of a file that are known without measuring its media. */
export interface UploadFacts {
  /** The name that the caller gave it. */
  name: string;
  /** Bytes. */
  bytes: number;
  /** The digest of its bytes, SHA-256 in hexadecimal. */
  sha256: string;
}

interface Body {
  body: Payload;
  /** The content type. */
  type: string;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const whole = (bytes: Uint8Array) => ({ length: bytes.length, pieces: [bytes] });

/** A file of a request. Bodies made of it are read piece by piece, as often as they are sent. */
export class Upload implements Releasable {
  readonly facts: UploadFacts;
  readonly #spool: Spool;
  readonly #file: Span;
  readonly #received: ReceivedForm | undefined;

  constructor(spool: Spool, file: Span, facts: UploadFacts, received?: ReceivedForm) {
    this.facts = facts;
    this.#spool = spool;
    this.#file = file;
    this.#received = received;
  }

  /** The file as a source for a prober. */
  get source(): MediaSource {
    return this.#spool.source(this.#file);
  }

  /** True if the file arrived in a form, which can be sent on. */
  get isForm(): boolean {
    return this.#received !== undefined;
  }

  /** The number of the form's fields of exactly this name. */
  count(field: string): number {
    return this.#received?.parts.filter(({ name }) => name === field).length ?? 0;
  }

  /** The bytes of the file. */
  pieces(): Iterable<Uint8Array> {
    return this.#spool.pieces(this.#file);
  }

  /** A JSON text with the file's bytes, in base64, where `FILE` stands in it. */
  inJson(text: string): Payload {
    const [before, after] = jsonSurroundings(text);
    const base64 = (bytes: Uint8Array): Uint8Array =>
      Buffer.from(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"), "latin1");
    return joined([
      whole(encode(before)),
      {
        length: Math.ceil(this.#file.length / 3) * 4,
        pieces: this.#spool.pieces(this.#file, base64),
      },
      whole(encode(after)),
    ]);
  }

  /** A form of fields, with the file where a field has the value `FILE`. */
  form(fields: JsonObject, { name, mediaType }: { name: string; mediaType: string }): Body {
    const boundary = `manifold-${this.facts.sha256.slice(0, 40)}`;
    const [before, after] = formSurroundings(fields, { boundary, name, mediaType });
    return {
      body: joined([
        whole(encode(before)),
        { length: this.#file.length, pieces: this.#spool.pieces(this.#file) },
        whole(encode(after)),
      ]),
      type: `multipart/form-data; boundary=${boundary}`,
    };
  }

  /**
   * The received form with other texts in some fields; a field that is undefined is left out, and with `a` also `a[b]`
   * and `a[]`. `undefined` if the file did not arrive in a form.
   */
  received(edits: Readonly<Record<string, string | undefined>>): Body | undefined {
    const form = this.#received;
    if (!form) return undefined;
    const kept: { length: number; pieces: Iterable<Uint8Array> }[] = [];
    let at = 0;
    const keep = (until: number): void => {
      if (until > at)
        kept.push({ length: until - at, pieces: this.#spool.pieces({ from: at, length: until - at }) });
    };
    for (const [index, { name, from, contents }] of form.parts.entries()) {
      const field = name.split("[", 1)[0] as string;
      if (!Object.hasOwn(edits, field)) continue;
      const text = edits[field];
      keep(text === undefined ? from : contents.from);
      if (text !== undefined) kept.push(whole(encode(text)));
      at = text === undefined ? (form.parts[index + 1]?.from ?? form.end) : contents.from + contents.length;
    }
    keep(this.#spool.size);
    return { body: joined(kept), type: form.type };
  }

  release(): void {
    this.#spool.close();
  }
}
