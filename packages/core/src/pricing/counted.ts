import type { Operation } from "../capability/terms.ts";
import { type Price, UNITS, type Unit } from "./cost.ts";

const tokens = ["input", "output"] as const;

/**
 * The units of which each operation has a count, reported or estimated. Text counts all that is not of media, since its
 * requests may use the cache and hosted tools.
 */
const counted: Readonly<Record<Operation, readonly Unit[]>> = {
  text: UNITS.filter((unit) => !["images", "seconds", "characters", "searchUnits"].includes(unit)),
  image: [...tokens, "imageInput", "imageOutput", "images", "requests"],
  video: ["output", "seconds", "requests"],
  speech: [...tokens, "audioOutput", "characters", "seconds", "requests"],
  embed: ["input", "imageInput", "audioInput", "requests"],
  transcription: [...tokens, "audioInput", "seconds", "requests"],
  rerank: ["input", "searchUnits", "requests"],
  moderation: ["input", "requests"],
};

/** The units by which an operation can be sold. */
export const countedUnits = (operation: Operation): readonly Unit[] => counted[operation];

/**
 * Whether a price sells an operation: it counts something of it, or is free on purpose, with no rate above 0. A price
 * by the character would give pictures away.
 */
export const sells = (price: Price, operation: Operation): boolean =>
  counted[operation].some((unit) => (price[unit] ?? 0) > 0) ||
  UNITS.every((unit) => (price[unit] ?? 0) === 0);
