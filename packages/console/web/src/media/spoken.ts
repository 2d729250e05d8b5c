import type { Listed } from "../play/takers.ts";

/** The formats of a model that lists none. */
const FORMATS = ["mp3", "opus", "aac", "flac", "wav", "pcm"];

/** The formats that a model has, and the chosen one: empty if it was chosen for another model and this one lacks it. */
export function formatsOf(
  { speech }: Listed,
  choice: string,
): { formats: readonly string[]; format: string } {
  const { format } = (speech?.params ?? {}) as { format?: { values?: string[] } };
  const formats = format?.values ?? FORMATS;
  return { formats, format: formats.includes(choice) ? choice : "" };
}

/** The types of audio whose files are named by another word. */
const NAMED: Readonly<Record<string, string>> = { mpeg: "mp3", ogg: "opus" };

/** The ending of a file of spoken text, by the content type that it came with. */
export function endingOf(type: string): string {
  const [, word = "audio"] = /^audio\/(\w+)/.exec(type) ?? [];
  return NAMED[word] ?? word;
}
