import type { ParamRow } from "../codec/params.ts";
import type { Params } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import type { JsonObject } from "../json/json.ts";

/** The longest id of a user that this family of wires takes. */
const USER = 64;
/** The most labels that it takes. */
const LABELS = 16;

/** An id of a user as the family takes it. */
export function writeUser(value: string, lose: Lose, path: string): string {
  if (value.length <= USER) return value;
  lose(path, "approximated", `cut to the ${USER} characters that the target accepts`);
  return value.slice(0, USER);
}

/** The second of the two ids that a request may have: alone it is the user's, in either spelling. */
export const safetyRow = {
  name: "safetyId",
  wire: "safety_identifier",
  read: () => undefined,
  write: writeUser,
} as const satisfies ParamRow;

/** Both ids of a request that has both. */
export const bothIds = ({ user, safety_identifier }: JsonObject): Pick<Params, "user" | "safetyId"> =>
  typeof user === "string" && typeof safety_identifier === "string"
    ? { user, safetyId: safety_identifier }
    : {};

/** Labels as many as the family takes. */
export function writeLabels(value: Record<string, string>, lose: Lose, path: string): Record<string, string> {
  const pairs = Object.entries(value);
  if (pairs.length <= LABELS) return value;
  lose(path, "approximated", `only the first ${LABELS} of ${pairs.length} are kept`);
  return Object.fromEntries(pairs.slice(0, LABELS));
}
