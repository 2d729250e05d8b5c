import type { AnyCaller, Failure } from "@manifold-gateway/core";
import type { Machine } from "@manifold-gateway/core/codec";
import {
  cutTranscript,
  type TranscriptionEvent,
  type TranscriptionReply,
} from "@manifold-gateway/core/transcription";
import type { UpstreamResponse } from "@manifold-gateway/providers/fetch-transport";
import { isProviderFault, providerFaultText } from "@manifold-gateway/providers/routing";
import { pulledStream } from "../reply/pulled-stream.ts";

/** One event of a stream, as JSON. */
export const frame = (chunk: unknown): string => `data: ${JSON.stringify(chunk)}\n\n`;

/** How a transcript is written to its caller. */
export interface TranscriptWriter {
  machine: Machine<TranscriptionEvent, unknown>;
  /** The caller's protocol, for errors. */
  codec: AnyCaller;
  /** Hides the provider's keys. */
  hide(text: string): string;
}

/** Called once when the transcript is over: without a reply, it broke off, or its reader left. */
export type TranscriptEnd = (reply: TranscriptionReply | undefined) => void;

/** A streamed transcript on its way to the caller, read at the caller's pace. */
export class TranscriptStream {
  readonly #body: UpstreamResponse["body"];
  readonly #events: AsyncGenerator<TranscriptionEvent, void>;
  #first: IteratorResult<TranscriptionEvent, void> | undefined;

  constructor(body: UpstreamResponse["body"], reader: Machine<Uint8Array, TranscriptionEvent>) {
    this.#body = body;
    this.#events = eventsOf(body, reader);
  }

  /** Reads the first event. Returns the failure of a stream that has no transcript. */
  async begin(): Promise<Failure | undefined> {
    this.#first = await this.#events.next();
    const failure = failureOf(this.#first);
    if (failure) this.#body.cancel();
    return failure;
  }

  /** The stream for the caller. One that breaks off ends with an error. */
  readable(writer: TranscriptWriter, signal: AbortSignal, onEnd: TranscriptEnd): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    let isOver = false;
    const end: TranscriptEnd = (reply) => {
      if (!isOver) onEnd(reply);
      isOver = true;
    };
    const next = async (): Promise<Uint8Array | undefined> => {
      while (!isOver) {
        const text = await this.#write(writer, signal, end);
        if (text !== "") return encoder.encode(text);
      }
      return undefined;
    };
    const leave = (): void => {
      this.#body.cancel();
      end(undefined);
    };
    return pulledStream({ next, leave }, signal);
  }

  /** The text of the next event, or of the error in its place. */
  async #write(
    { machine, codec, hide }: TranscriptWriter,
    signal: AbortSignal,
    end: TranscriptEnd,
  ): Promise<string> {
    let failure: Failure | undefined;
    try {
      const result = this.#first ?? (await this.#events.next());
      this.#first = undefined;
      failure = failureOf(result);
      const event = result.value;
      if (!failure && event) {
        if (event.type !== "done") return machine.step(event).map(frame).join("");
        end(event.reply);
        return [...machine.step(event), ...machine.end()].map(frame).join("");
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!isProviderFault(error)) throw error;
      failure = { ...cutTranscript, message: providerFaultText(error) };
    }
    this.#body.cancel();
    end(undefined);
    const { raw: _, ...shown } = failure ?? cutTranscript;
    return frame(codec.failure.encode({ ...shown, message: hide(shown.message) }).body);
  }
}

/** The failure that a step of a stream shows. */
function failureOf({ done, value }: IteratorResult<TranscriptionEvent, void>): Failure | undefined {
  if (done || !value) return cutTranscript;
  return value.type === "done" ? value.reply.failure : undefined;
}

async function* eventsOf(
  body: UpstreamResponse["body"],
  reader: Machine<Uint8Array, TranscriptionEvent>,
): AsyncGenerator<TranscriptionEvent, void> {
  for (let bytes = await body.next(); bytes; bytes = await body.next()) yield* reader.step(bytes);
  yield* reader.end();
}
