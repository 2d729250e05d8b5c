import { toCount } from "../../../ir/usage.ts";
import {
  compact,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toObject,
  toText,
} from "../../../json/json.ts";
import type { SpeechMade } from "../result.ts";
import { readSubtitle } from "../subtitle.ts";

/** An error in the words of the wire. */
export interface SpeechWireError {
  code?: string | undefined;
  message?: string | undefined;
}

const DONE = 20_000_000;

/** One object of a speech answer: audio, the end, or an error. */
export type ReplyItem =
  | {
      type: "audio";
      /** In base64. */
      data: string;
    }
  | { type: "end"; characters?: number }
  | { type: "failure"; error: SpeechWireError };

interface Verdict {
  code: number | undefined;
  message: string | undefined;
}

/** The code and message of an answer, at the top level or in its header. */
function verdictOf(body: JsonObject): Verdict {
  const { code, message } = body.code === undefined ? toObject(body.header) : body;
  const number = numberOf(code) ?? (textOf(code) ? Number(code) : undefined);
  return { code: Number.isFinite(number) ? number : undefined, message: textOf(message) };
}

const toWireError = ({ code, message }: Verdict): SpeechWireError => ({
  code: code === undefined ? undefined : String(code),
  message,
});

/** Reads an object of a speech answer. Objects without audio, such as sentence marks, are skipped. */
export function readItems(body: JsonObject): ReplyItem[] {
  const verdict = verdictOf(body);
  const items: ReplyItem[] = [];
  if (verdict.code !== undefined && verdict.code !== 0 && verdict.code !== DONE)
    return [{ type: "failure", error: toWireError(verdict) }];
  const data = toText(body.data);
  if (data !== "") items.push({ type: "audio", data });
  if (verdict.code === DONE) {
    const characters = toCount(toObject(body.usage).text_words);
    items.push({ type: "end", ...(characters !== undefined && { characters }) });
  }
  return items;
}

/** The result of a generation with reference: audio, its address, or both. */
export type Generated = { output: Omit<SpeechMade, "mediaType">; data?: string } | { error: SpeechWireError };

const seconds = (value: Json | undefined): number | undefined => {
  const number = numberOf(value);
  return number !== undefined && number > 0 ? number : undefined;
};

/** Reads the answer of a generation with reference. */
export function readGenerated(value: Json): Generated {
  const body = toObject(value);
  const verdict = verdictOf(body);
  const audio = toText(body.audio);
  const url = textOf(body.url) || undefined;
  const silent = audio === "" && url === undefined;
  if ((verdict.code ?? 0) !== 0 || (silent && verdict.code === undefined))
    return { error: toWireError(verdict) };
  if (silent) return { error: { message: "The provider generated no audio." } };
  const made = compact<Omit<SpeechMade, "mediaType">>({
    seconds: seconds(body.duration),
    billedSeconds: seconds(body.original_duration),
    providerUrl: url,
    subtitle: readSubtitle(body.subtitle),
  });
  return { output: made, ...(audio !== "" && { data: audio }) };
}
