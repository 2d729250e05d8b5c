import type { Random } from "./random.ts";

const TASKS = [
  "Summarise this chapter for the catalogue.",
  "Answer this letter politely, and offer an exchange.",
  "Find the three sentences that matter most.",
  "Translate this into plain English for a leaflet.",
  "Write a title and a subtitle for this text.",
  "List the names and the places that occur in this.",
  "What would a careful reader object to here?",
  "Turn these notes into the minutes of a meeting.",
];

const SENTENCES = [
  "The harbour froze early that year, and the boats lay in the ice until March.",
  "Nobody had counted the crates, so nobody could say how many were missing.",
  "She kept the ledger in green ink, one line for each ship and none for the weather.",
  "The parcel arrived on Tuesday with a torn corner and without the second volume.",
  "Our readings at the upper station differ from those of last autumn by two degrees.",
  "Please send the invoice to the old address; the new one has no letterbox yet.",
  "A path leads from the mill to the church, and is under water twice a year.",
  "The committee met in the reading room, where the heating has been repaired.",
  "Three of the samples were dry, one was wet, and the label of the fifth was lost.",
  "He asked for the large edition, and was shown a small one with large type.",
  "The ferry leaves at ten past seven, except on days when it does not.",
  "What the translation calls a garden is in the original no more than a yard.",
];

const SCENES = [
  "A lighthouse at dusk, with rain coming in from the sea.",
  "A paper boat on a stream between moss and stones.",
  "The cover of a novel: an empty reading room, morning light.",
  "A grey cat asleep on an open atlas.",
  "A greenhouse in the snow, lit from inside.",
  "Old type in a wooden case, seen from above.",
];

export const system = "You help the readers and writers of a small publishing house. Be brief and exact.";

/** A text of so many sentences. */
export const prose = (random: Random, sentences: number): string =>
  Array.from({ length: sentences }, () => random.pick(SENTENCES)).join(" ");

/** A prompt for a text model. */
export const question = (random: Random): string =>
  `${random.pick(TASKS)}\n\n${prose(random, random.between(3, 40))}`;

export const scene = (random: Random): string => random.pick(SCENES);
