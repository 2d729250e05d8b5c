import { createHash } from "node:crypto";

/** The transcript of a recording, derived from its bytes: equal bytes have equal words. */
export interface Transcript {
  /** The format by its first bytes; undefined for a file of another kind. */
  type: string | undefined;
  seconds: number;
  text: string;
  words: { word: string; start: number; end: number }[];
  segments: { text: string; start: number; end: number }[];
}

const FORMATS: [type: string, beginning: RegExp][] = [
  ["wav", /^RIFF.{4}WAVE/s],
  ["mp3", /^(ID3|\xff[\xe2-\xef\xf2-\xff])/],
  ["flac", /^fLaC/],
  ["ogg", /^OggS/],
  ["webm", /^.E\xdf\xa3/s],
  ["mp4", /^.{4}ftyp/s],
  ["aac", /^\xff[\xf0\xf1\xf8\xf9]/],
];

const SPEECH = [
  "the",
  "boat",
  "left",
  "at",
  "noon",
  "and",
  "nobody",
  "saw",
  "it",
  "again",
  "until",
  "spring",
];
/** Words in a second and in a passage; bytes of a second of sound, where no header says so. */
const PACE = 2;
const PASSAGE = 6;
const BYTES = 4000;

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Seconds by the rate in the header of a WAV file, else by the size. */
function lengthOf(bytes: Buffer, type: string | undefined): number {
  if (type !== "wav") return rounded(bytes.length / BYTES);
  const data = bytes.indexOf("data", 12, "latin1");
  return rounded((bytes.length - data - 8) / bytes.readUInt32LE(28));
}

/** Finds words for a recording, and the time of each. */
export function transcriptOf(bytes: Buffer, task: string): Transcript {
  const beginning = bytes.subarray(0, 12).toString("latin1");
  const type = FORMATS.find(([, pattern]) => pattern.test(beginning))?.[0];
  const seconds = lengthOf(bytes, type);
  const seed = createHash("sha256").update(bytes).update(task).digest();
  const count = Math.max(1, Math.min(2000, Math.floor(seconds * PACE)));
  const words = Array.from({ length: count }, (_, at) => {
    const word = SPEECH[(seed[at % seed.length]! + at) % SPEECH.length]!;
    return { word, start: rounded((at * seconds) / count), end: rounded(((at + 1) * seconds) / count) };
  });
  const segments = [];
  for (let at = 0; at < count; at += PASSAGE) {
    const some = words.slice(at, at + PASSAGE);
    const text = some.map(({ word }) => word).join(" ");
    segments.push({ text: `${text}.`, start: some[0]!.start, end: some.at(-1)!.end });
  }
  return { type, seconds, text: segments.map(({ text }) => text).join(" "), words, segments };
}

const stamp = (seconds: number, mark: string): string =>
  new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23).replace(".", mark);

/** A transcript as subtitles. */
export function subtitles({ segments }: Transcript, format: "srt" | "vtt"): string {
  const mark = format === "srt" ? "," : ".";
  const cues = segments.map(
    ({ text, start, end }, at) =>
      `${format === "srt" ? `${at + 1}\n` : ""}${stamp(start, mark)} --> ${stamp(end, mark)}\n${text}\n\n`,
  );
  return `${format === "vtt" ? "WEBVTT\n\n" : ""}${cues.join("")}`;
}
