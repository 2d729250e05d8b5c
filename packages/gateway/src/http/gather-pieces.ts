import { tooComplex } from "./body-refusals.ts";

/** The first pieces of a body are passed on at once, so that what is wrong with it is found at once. */
const PROMPT = 64;
/** The bytes that short pieces are gathered to. */
const BLOCK = 4 * 1024;
/** From this number of pieces on, they have to have so many bytes on average. */
const MANY = 16_384;
const AVERAGE = 128;

type Take = (piece: Uint8Array) => Promise<void> | undefined;

/**
 * Passes on the pieces of a body, short ones together: a client can send each byte as a chunk of its own, which would
 * take a hundred times its memory until the body is whole. A body of very many short pieces is refused, because each
 * costs work.
 */
export class GatheredPieces {
  readonly #take: Take;
  #block: Uint8Array | undefined;
  #filled = 0;
  #count = 0;
  #size = 0;

  constructor(take: Take) {
    this.#take = take;
  }

  add(piece: Uint8Array): Promise<void> | undefined {
    this.#count += 1;
    this.#size += piece.length;
    if (this.#count > MANY && this.#size < this.#count * AVERAGE)
      throw tooComplex(`arrives in more than ${MANY} pieces of less than ${AVERAGE} bytes`);
    if (this.#count <= PROMPT) return this.#take(piece);
    const gathered = this.#filled + piece.length > BLOCK ? this.end() : undefined;
    if (piece.length > BLOCK) return gathered ? gathered.then(() => this.#take(piece)) : this.#take(piece);
    this.#block ??= new Uint8Array(BLOCK);
    this.#block.set(piece, this.#filled);
    this.#filled += piece.length;
    return gathered;
  }

  /** Passes on what is left. */
  end(): Promise<void> | undefined {
    const gathered = this.#block?.subarray(0, this.#filled);
    this.#block = undefined;
    this.#filled = 0;
    return gathered && this.#take(gathered);
  }
}
