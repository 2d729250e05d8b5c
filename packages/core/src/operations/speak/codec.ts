import type { Machine } from "../../codec/machine.ts";
import type { OperationCodec } from "../codec.ts";
import type { SpeakEvent, SpeakRequest, SpeechFormat } from "./ir.ts";

/**
 * Both directions between one wire's speech and the IR. Replies are audio, so they are read from bytes, with the law
 *
 *     run(reader(type), bytes of write(events)) has the audio, the usage and the failure of events
 */
export interface SpeakCodec extends OperationCodec<SpeakRequest, readonly SpeakEvent[]> {
  /** The formats that the wire has, the usual one first. */
  formats: readonly SpeechFormat[];
  /** About how many tokens a second of speech is, where its models count in tokens. */
  tokensPerSecond: number;
  /** The most seconds that a model of the provider makes, by its name there; undefined where no model has a bound. */
  longestFor?(model: string): number | undefined;
  /** Its voices are those of the service's catalog. Absent: any name goes to the provider. */
  voices?: true;
  /** Headers of a request beside the usual ones; `id` is unique. */
  headers?(request: SpeakRequest, id: string): Record<string, string>;
  /** Reads the bytes of an answer of a content type. */
  reader(contentType: string): Machine<Uint8Array, SpeakEvent>;
}

/** An answer as its caller reads it. */
export interface SpeakAnswer {
  contentType: string;
  /** The bytes or the text of an event. */
  write(event: SpeakEvent): Uint8Array | string;
}

/** What replies with speech have of other replies, which is nothing: `reader` reads them, and a `SpeakAnswer` writes. */
export const noBody: SpeakCodec["reply"] = { decode: () => [], encode: () => ({}) };
