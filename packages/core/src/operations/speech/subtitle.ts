import {
  compact,
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  put,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../json/json.ts";

/** One sentence of a transcript. Times are milliseconds from the start of the audio. */
export interface SubtitleSentence {
  text: string;
  startTime?: number;
  endTime?: number;
  /** The provider's own members, in camel case. */
  words: Json[];
}

/** The words of generated audio, and their times. */
export interface Subtitle {
  text: string;
  sentences: SubtitleSentence[];
}

/** A transcript as providers write it: the list is `sentences` or `utterances`, keys are in either casing. */
export function readSubtitle(value: Json | undefined): Subtitle | undefined {
  if (!isObject(value)) return undefined;
  const { text, sentences, utterances } = value;
  const read = toArray(sentences ?? utterances).map((item): SubtitleSentence => {
    const sentence = toObject(toCamel(item));
    return compact<SubtitleSentence>({
      text: toText(sentence.text),
      startTime: numberOf(sentence.startTime),
      endTime: numberOf(sentence.endTime),
      words: toArray(sentence.words),
    });
  });
  if (textOf(text) === undefined && read.length === 0) return undefined;
  return { text: textOf(text) ?? read.map((sentence) => sentence.text).join(" "), sentences: read };
}

/** Deeper than any transcript goes: what lies below stays as it is. */
const DEPTH = 16;

/** JSON with its member names in camel case. Of a member in both casings, the camel one is kept. */
function toCamel(value: Json, depth = DEPTH): Json {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => toCamel(item, depth - 1));
  if (!isObject(value)) return value;
  const record: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    const name = key.replace(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (name === key || !Object.hasOwn(value, name)) put(record, name, toCamel(member, depth - 1));
  }
  return record;
}
