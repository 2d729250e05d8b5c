import type { Machine } from "../../codec/machine.ts";
import type { Json, JsonObject } from "../../json/json.ts";
import type { OperationCodec } from "../codec.ts";
import type { TranscriptionEvent, TranscriptionReply, TranscriptionRequest } from "./ir.ts";

/** Stands for the recording's bytes in an encoded request: no text of a caller has a control character there. */
export const FILE = "\u0000file\u0000";

/**
 * Both directions between one wire's transcriptions and the IR, with the laws of all operations, and for streams
 *
 *     fold(run(stream.decode(), run(stream.encode(request), unfold(reply)))) = reply    but for what a loss names
 */
export interface TranscriptionCodec extends OperationCodec<TranscriptionRequest, TranscriptionReply> {
  /**
   * How an encoded request is sent, with the recording where `FILE` stands: as a `form`, or as `json` with its bytes in
   * base64.
   */
  content: "form" | "json";
  /** The models of the wire write down what they hear because a prompt says so: only models of text that hear. */
  prompted?: true;
  /** The media types of recordings that the wire takes. Absent: any. */
  mediaTypes?: readonly string[];
  /** About how many tokens a second of sound is, where its models count in tokens. */
  tokensPerSecond: number;
  /** Streams of the wire; absent where it has none. */
  stream?: {
    /** Reads the chunks of a stream. `end` of one that broke off gives nothing. */
    decode(): Machine<Json, TranscriptionEvent>;
    /** Checks whether a chunk has a form that some servers have and clients of the wire do not know. */
    isForeign?(chunk: Json): boolean;
    /** Writes a stream: nothing where only providers speak the wire. */
    encode(request: TranscriptionRequest): Machine<TranscriptionEvent, JsonObject>;
  };
}
