import { Refusal } from "../http/refusal.ts";
import { authenticate } from "./authenticate.ts";

/**
 * Milliseconds between two checks whether the credential of an open stream or socket is still accepted. With the age
 * of the cached credential, a revocation takes effect within a second.
 */
export const RECHECK_MS = 500;

/** Checks whether the caller of an earlier request would still be admitted. */
export async function isAdmitted(...request: Parameters<typeof authenticate>): Promise<boolean> {
  try {
    await authenticate(...request);
    return true;
  } catch (error) {
    // An error other than a refusal, such as a missing database, refuses no open stream.
    return !(error instanceof Refusal);
  }
}
