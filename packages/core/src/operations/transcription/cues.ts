import type { TranscriptSegment, TranscriptWord } from "./ir.ts";

/** The longest segment that is made of words: two lines of a subtitle. */
const MAX_SECONDS = 6;
const MAX_CHARACTERS = 84;
/** The shortest pause, in seconds, that ends a segment. */
const MIN_PAUSE = 1;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const SENTENCE_END = /[.!?。！？…]["'”’)\]]?$/;

/** Divides words into segments, which end at sentences, pauses and changes of the speaker, or before they get too long. */
export function segmentsOf(words: readonly TranscriptWord[]): TranscriptSegment[] {
  const segments: TranscriptSegment[] = [];
  let current: TranscriptSegment | undefined;
  for (const { text, start, end, speaker } of words) {
    const ends =
      current === undefined ||
      SENTENCE_END.test(current.text) ||
      start - current.end > MIN_PAUSE ||
      speaker !== current.speaker ||
      end - current.start > MAX_SECONDS ||
      current.text.length + text.length >= MAX_CHARACTERS;
    if (current && !ends) {
      const isUnspaced = UNSPACED.test(text) && UNSPACED.test(current.text.slice(-1));
      current.text += `${isUnspaced ? "" : " "}${text.trim()}`;
      current.end = Math.max(current.end, end);
      continue;
    }
    current = { text: text.trim(), start, end, ...(speaker !== undefined && { speaker }) };
    segments.push(current);
  }
  return segments;
}

/** Hours, minutes, seconds and milliseconds. */
function formatTime(seconds: number, mark: "," | "."): string {
  const ms = Math.round(Math.max(0, seconds) * 1000);
  const pad = (value: number, digits: number): string => String(value).padStart(digits, "0");
  const time = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60];
  return `${time.map((part) => pad(part, 2)).join(":")}${mark}${pad(ms % 1000, 3)}`;
}

/** Text as it may stand in a cue: without empty lines, which end it. */
const lines = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== "")
    .join("\n");

/** The passages as SubRip. */
export const toSrt = (segments: readonly TranscriptSegment[]): string =>
  segments
    .map(
      ({ text, start, end }, at) =>
        `${at + 1}\n${formatTime(start, ",")} --> ${formatTime(end, ",")}\n${lines(text)}\n\n`,
    )
    .join("");

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
/** Text as it may stand in a cue of WebVTT, where an arrow would end the cue and `<` would begin a tag. */
const escaped = (text: string): string => text.replace(/[&<>]/g, (mark) => ENTITIES[mark] as string);

/** The passages as WebVTT. */
export const toVtt = (segments: readonly TranscriptSegment[]): string =>
  `WEBVTT\n\n${segments
    .map(
      ({ text, start, end }) =>
        `${formatTime(start, ".")} --> ${formatTime(end, ".")}\n${escaped(lines(text))}\n\n`,
    )
    .join("")}`;
