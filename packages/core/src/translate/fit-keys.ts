import type { Spelling } from "../codec/provider-codec.ts";
import { isObject, type Json, type JsonObject, textOf, toArray } from "../json/json.ts";
import { speller } from "./speller.ts";

/** A text of JSON, with the colon behind it where it is a key; without its end where the JSON is cut. */
const TEXT = /("(?:[^"\\]|\\.)*"?)(\s*:)?/gs;

/** JSON with other keys; all else is left to the character. */
const withKeys = (json: string, respell: (key: string) => string): string =>
  json.replace(TEXT, (whole, text: string, colon?: string) => {
    if (colon === undefined) return whole;
    try {
      const key = JSON.parse(text) as string;
      const spelling = respell(key);
      return spelling === key ? whole : JSON.stringify(spelling) + colon;
    } catch {
      return whole;
    }
  });

/**
 * Respells the parameters of functions for targets that refuse some names, such as `filter[id]`. Only the outermost are:
 * those within them may have any name.
 */
export function keySpeller(spelling: Spelling | undefined) {
  const spellers = new Map<string, { originals: ReadonlySet<string>; names: ReturnType<typeof speller> }>();
  return {
    /** The schema of a tool with names that the target takes. */
    schema(tool: string, schema: JsonObject): JsonObject {
      const { properties, required } = schema;
      if (!spelling || !isObject(properties)) return schema;
      const fits = (key: string): boolean => key.length <= spelling.max && spelling.pattern.test(key);
      const originals = Object.keys(properties);
      if (originals.every(fits)) return schema;
      const names = speller(spelling);
      // Names that fit come first, so that none is given to another.
      for (const key of originals.filter(fits)) names.spell(key);
      spellers.set(tool, { originals: new Set(originals), names });
      const respelled = originals.map((key) => [names.spell(key), properties[key] as Json]);
      return {
        ...schema,
        properties: Object.fromEntries(respelled),
        ...(required !== undefined && {
          required: toArray(required).map((key) => names.spell(textOf(key) ?? "")),
        }),
      };
    },
    /** Checks whether parameters of a tool have other names at the target. */
    respells: (tool: string): boolean => spellers.has(tool),
    hasChanges: (): boolean => spellers.size > 0,
    /** Arguments of a past call as the target knows them. */
    spell(tool: string, json: string): string {
      const match = spellers.get(tool);
      if (!match) return json;
      return withKeys(json, (key) => (match.originals.has(key) ? match.names.spell(key) : key));
    },
    /** Arguments of a call as the caller knows them. */
    unspell(tool: string, json: string): string {
      const match = spellers.get(tool);
      return match ? withKeys(json, match.names.unspell) : json;
    },
  };
}
