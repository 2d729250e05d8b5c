import type { Lose } from "../loss.ts";

/** The longest id of a user that this family of wires takes. */
const USER = 64;
/** The most labels that it takes. */
const LABELS = 16;

/** An id of a user as the family takes it. */
export function writeUser(value: string, lose: Lose, path: string): string {
  if (value.length <= USER) return value;
  lose(path, "approximated", `cut to the ${USER} characters that the target takes`);
  return value.slice(0, USER);
}

/** Labels as many as the family takes. */
export function writeLabels(value: Record<string, string>, lose: Lose, path: string): Record<string, string> {
  const pairs = Object.entries(value);
  if (pairs.length <= LABELS) return value;
  lose(path, "approximated", `only the first ${LABELS} of ${pairs.length} are kept`);
  return Object.fromEntries(pairs.slice(0, LABELS));
}
