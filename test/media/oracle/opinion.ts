/**
 * A second opinion on what a file is: readers that trust every byte, hold the file whole and expand what is coded
 * short. They share nothing with the package but the formats, and throw or answer nonsense for what they do not
 * expect. Fuzzing asks them only about files that the package lets pass.
 */
export interface Opinion {
  width?: number;
  height?: number;
  seconds?: number;
  fps?: number;
}

export type Oracle = (file: Buffer) => Opinion;
