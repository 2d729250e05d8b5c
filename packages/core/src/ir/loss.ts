/** Something that a target protocol cannot express. */
export interface Loss {
  /** Where in the canonical request or reply, as a JSON pointer: `/messages/2/parts/0/cache`, `/params/seed`. */
  path: string;
  /** The place in the canonical request, where `path` is one in the caller's own JSON: `/params/candidates` for `/n`. */
  canonical?: string;
  /** `unsupported`: it is gone. `approximated`: it arrives with another meaning or precision. */
  why: "unsupported" | "approximated";
  /** A description in a few words: "clamped to 1". */
  detail?: string;
}

/** Reports one loss; handed to every encoder. */
export type Lose = (path: string, why: Loss["why"], detail?: string) => void;

/** A `lose` that collects, and what it collected. */
export function collectLosses(): { losses: Loss[]; lose: Lose } {
  const losses: Loss[] = [];
  const lose: Lose = (path, why, detail) => {
    losses.push(detail === undefined ? { path, why } : { path, why, detail });
  };
  return { losses, lose };
}

/** For encodings whose losses are not wanted. */
export const ignoreLosses: Lose = () => {};
