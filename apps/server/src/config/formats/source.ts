/** A parsed text: its value, and the place of each field. */
export interface Source {
  value: unknown;
  /** The index of a field's name in the text, or of its nearest ancestor's. */
  offsetOf(path: readonly PropertyKey[]): number;
  /** The text with these values replaced; everything else, such as comments, stays. */
  withValues(values: readonly (readonly [path: readonly (string | number)[], value: unknown])[]): string;
}

/** A syntax error of a text: its index, and the reason. */
export class SyntaxProblem extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}
