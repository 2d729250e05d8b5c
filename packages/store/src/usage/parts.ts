/** What this process has counted of something: a row of its own beside those of other processes. */
export interface Part {
  /** The name of the row among those that are counted of the same. */
  part: string;
  /** The database has the row, or had it. */
  isWritten: boolean;
  /** It is to be written. */
  isChanged: boolean;
}

/**
 * Parts of counts that several processes write. Each process writes the whole of its part, so that a write done twice
 * counts once. A part stays here while more is likely to come; a later one of the same thing is a row of its own.
 */
export class Parts<Of extends Part> {
  readonly #parts = new Map<string, Of>();
  readonly #most: number;
  #changed: Of[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** The number of parts to be written. */
  get changed(): number {
    return this.#changed.length;
  }

  /** The part of a name, which is about to be changed; undefined if there are too many. */
  touch(name: string, make: () => Omit<Of, keyof Part>, nextName: () => string): Of | undefined {
    let part = this.#parts.get(name);
    if (part === undefined) {
      // While the database is away all of them are to be written, and looking for others would be in vain.
      const isFull = this.#parts.size >= this.#most;
      if (isFull && this.#changed.length < this.#most) this.release(() => true);
      if (this.#parts.size >= this.#most) return undefined;
      part = { ...make(), part: nextName(), isWritten: false, isChanged: false } as Of;
      this.#parts.set(name, part);
    }
    if (!part.isChanged) {
      part.isChanged = true;
      this.#changed.push(part);
    }
    return part;
  }

  /** The parts to be written, for the last time unless they are changed again or put back. */
  take(): Of[] {
    const parts = this.#changed;
    this.#changed = [];
    for (const part of parts) part.isChanged = false;
    return parts;
  }

  /** Has parts written again that could not be written. */
  putBack(parts: Iterable<Of>): void {
    for (const part of parts) {
      if (part.isChanged) continue;
      part.isChanged = true;
      this.#changed.push(part);
    }
  }

  /** Releases those of the parts that have nothing to be written. */
  release(matches: (part: Of) => boolean): void {
    for (const [name, part] of this.#parts) if (!part.isChanged && matches(part)) this.#parts.delete(name);
  }

  /** Forgets parts whose rows are gone, with what came since. */
  drop(missing: ReadonlySet<object>): void {
    if (missing.size === 0) return;
    for (const [name, part] of this.#parts) if (missing.has(part)) this.#parts.delete(name);
    this.#changed = this.#changed.filter((part) => !missing.has(part));
  }
}
