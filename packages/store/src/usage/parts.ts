/** A count of this process: a row of its own beside the rows of other processes. */
export interface Part {
  /** The name of the row among those of the same subject. */
  part: string;
  /** The row was written before; it may have been removed since. */
  isWritten: boolean;
  /** It has changes to write. */
  isChanged: boolean;
}

/**
 * This process's parts of counts to which several processes contribute. A process writes whole parts, so that a
 * repeated write counts once. A part is released once little more is likely to be added; a later part of the same
 * subject gets another row.
 */
export class Parts<Of extends Part> {
  readonly #parts = new Map<string, Of>();
  readonly #most: number;
  #changed: Of[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** The number of parts with changes to write. */
  get changed(): number {
    return this.#changed.length;
  }

  /** The part of a subject, marked as changed; undefined if there are too many parts. */
  touch(name: string, make: () => Omit<Of, keyof Part>, nextName: () => string): Of | undefined {
    let part = this.#parts.get(name);
    if (part === undefined) {
      // While the database is unreachable, all parts have changes, so none can be released.
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

  /** Returns the changed parts and marks them as unchanged. */
  take(): Of[] {
    const parts = this.#changed;
    this.#changed = [];
    for (const part of parts) part.isChanged = false;
    return parts;
  }

  /** Marks parts as changed again that could not be written. */
  putBack(parts: Iterable<Of>): void {
    for (const part of parts) {
      if (part.isChanged) continue;
      part.isChanged = true;
      this.#changed.push(part);
    }
  }

  /** Releases matching parts without changes. */
  release(matches: (part: Of) => boolean): void {
    for (const [name, part] of this.#parts) if (!part.isChanged && matches(part)) this.#parts.delete(name);
  }

  /** Forgets parts whose rows are gone, with what was added since. */
  drop(missing: ReadonlySet<object>): void {
    if (missing.size === 0) return;
    for (const [name, part] of this.#parts) if (missing.has(part)) this.#parts.delete(name);
    this.#changed = this.#changed.filter((part) => !missing.has(part));
  }
}
