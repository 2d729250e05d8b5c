import { authenticate } from "./access.ts";
import { Refusal } from "./http/refusal.ts";

/**
 * Milliseconds between two looks whether the credential of an open stream or socket is still accepted: with the age of
 * what is remembered of it, under a second.
 */
export const LOOK = 500;

/** Checks whether the caller of an earlier request would still be let in. */
export const isAdmitted = (...request: Parameters<typeof authenticate>): Promise<boolean> =>
  authenticate(...request).then(
    () => true,
    // What cannot be looked up at present is not refused.
    (error) => !(error instanceof Refusal),
  );
