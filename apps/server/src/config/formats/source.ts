/** A text that was read: what it says, and where. */
export interface Source {
  value: unknown;
  /** The index of a field's name in the text, or of the nearest one around it. */
  offsetOf(path: readonly PropertyKey[]): number;
  /** The text with these values in it; everything else stays as it is, comments too. */
  withValues(values: readonly (readonly [path: readonly (string | number)[], value: unknown])[]): string;
}

/** What keeps a text from being read: an index in it, and why. */
export class SyntaxProblem extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}
