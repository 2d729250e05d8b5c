import { count } from "../format.ts";

/** What was made, in the unit that says most. */
export function madeOf({ completionTokens, generatedImages, details = {} }: Record<string, unknown>): string {
  const { seconds, characters, searchUnits } = details as Record<string, unknown>;
  const units: [unknown, string][] = [
    [generatedImages, "images"],
    [seconds, "seconds"],
    [characters, "characters"],
    [searchUnits, "search units"],
    [completionTokens, "output tokens"],
  ];
  const counted = units.find(([value]) => typeof value === "number" && value > 0);
  if (!counted) return "";
  const [value, unit] = counted as [number, string];
  return `${count(value)} ${value === 1 ? unit.replace(/s$/, "") : unit}`;
}
