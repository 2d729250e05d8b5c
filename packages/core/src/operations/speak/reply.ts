import type { Machine } from "../../codec/machine.ts";
import type { Failure } from "../../ir/failure.ts";
import { noAudio } from "./audio.ts";
import { speakAnswer } from "./chatstyle.ts";
import type { SpeakAnswer, SpeakCodec } from "./codec.ts";
import type { SpeakEvent, SpeakUsage, SpeechFormat } from "./ir.ts";
import type { SpeakPlan } from "./plan.ts";
import { PCM_BYTES, wavHeader } from "./wav.ts";

const EVENTS = /^text\/event-stream\b/i;
const SOUND = /^(?:audio\/|text\/event-stream\b)/i;

/** The failure of a file of audio, at an address of the provider's, that has no bytes. */
export const emptyAudio: Failure = noAudio("The provider's file of audio is empty.");

/** A piece of an answer as its caller reads it. */
export type SpeakPiece = Uint8Array | string;

/**
 * An answer with audio on its way to its caller: what of the provider's bytes goes on, in which form, and what they say
 * besides. Nothing goes on before the first audio, since an error may come in its place.
 */
export class SpeakReply {
  /** The content type of the caller's answer. */
  readonly contentType: string;
  /** Bytes of audio so far. */
  size = 0;
  /** The address of all the audio, if the provider has it there: it is passed on with `audio`. */
  address: string | undefined;
  /** The end of the provider's answer. Absent after `finish`: it broke off. */
  end: { usage?: SpeakUsage } | undefined;
  /** The error in place of audio, or after some of it. */
  failure: Failure | undefined;
  readonly #format: SpeechFormat;
  readonly #wraps: boolean;
  readonly #machine: Machine<Uint8Array, SpeakEvent>;
  readonly #answer: SpeakAnswer;
  /** The provider's bytes go to the caller as they are. */
  readonly #forwards: boolean;
  /** Forwarded bytes before the first audio, and with its end. */
  #held: Uint8Array[] = [];

  /** `type` is the content type of the provider's answer. */
  constructor(
    { request, format, wraps }: Pick<SpeakPlan, "request" | "format" | "wraps">,
    { from, to, type }: { from: SpeakCodec; to: SpeakCodec; type: string },
  ) {
    this.#format = format;
    this.#wraps = wraps;
    this.#machine = from.reader(type);
    this.#answer = speakAnswer({ ...request, format });
    const isAlike = EVENTS.test(type) === EVENTS.test(this.#answer.contentType);
    this.#forwards = from === to && !wraps && isAlike;
    // Of a type such as application/octet-stream, browsers hold back the bytes until the end.
    this.contentType = this.#forwards && SOUND.test(type) ? type : this.#answer.contentType;
  }

  /** Takes bytes of the provider, and gives those for the caller. */
  push(bytes: Uint8Array): SpeakPiece[] {
    return this.#take(this.#machine.step(bytes), bytes);
  }

  /** The provider's answer is over. */
  finish(): SpeakPiece[] {
    return this.#take(this.#machine.end());
  }

  /** Takes audio, such as that at an address. */
  audio(bytes: Uint8Array): SpeakPiece[] {
    if (bytes.length === 0) return [];
    const pieces = this.size === 0 && this.#wraps ? [wavHeader(), bytes] : [bytes];
    this.size += bytes.length;
    return pieces.map((piece) => this.#answer.write({ type: "audio", bytes: piece }));
  }

  /** The end of an answer that is complete. */
  last(): SpeakPiece[] {
    const end = this.#forwards ? "" : this.#answer.write({ type: "done", ...this.end });
    return [...this.#held.splice(0), end];
  }

  /** The seconds of the audio so far, if its format shows them. */
  get seconds(): number | undefined {
    return this.#format === "pcm" || this.#format === "wav" ? this.size / PCM_BYTES : undefined;
  }

  #take(events: readonly SpeakEvent[], bytes?: Uint8Array): SpeakPiece[] {
    const pieces: SpeakPiece[] = [];
    for (const event of events) {
      if (event.type === "audio" && this.#forwards) this.size += event.bytes.length;
      else if (event.type === "audio") pieces.push(...this.audio(event.bytes));
      else if (event.type === "address") this.address = event.url;
      else if (event.type === "done") this.end = event;
      else this.failure ??= event.failure;
    }
    if (!this.#forwards || !bytes || this.failure) return pieces;
    this.#held.push(bytes);
    return this.end || this.size === 0 ? pieces : this.#held.splice(0);
  }
}
