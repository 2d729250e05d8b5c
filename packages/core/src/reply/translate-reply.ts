import type { Head } from "../codec/caller-codec.ts";
import type { AnyCaller, AnyProvider } from "../codec/codec.ts";
import { chain, type Machine } from "../codec/machine.ts";
import type { Event } from "../ir/index.ts";
import { ignoreLosses, type Lose, type Loss } from "../ir/loss.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { Wires } from "../protocols/facts.ts";
import { FrameTooLong } from "../stream/frame-limit.ts";
import { MalformedReply } from "../stream/malformed-reply.ts";
import type { Observation } from "../stream/observe.ts";
import type { Framing } from "../wire/framing.ts";
import { ReplyReader } from "./reply-reader.ts";
import { failSilentEnds } from "./silent-end.ts";
import { TranslatedReply } from "./translated-reply.ts";

/** The reply of a provider for a caller of another protocol. */
export interface ReplyTranslation {
  /** The provider's protocol. */
  from: AnyProvider;
  /** The caller's protocol. */
  to: AnyCaller;
  /** Facts that the caller's protocol writes into the reply. */
  head: Head;
  /** What `restore()` of the translated request returns. Default: no names were changed. */
  restore?: Machine<Event, Event> | undefined;
  /** The protocols that the program has. Default: the library's own. */
  protocols?: Wires | undefined;
}

/** The unary reply of a provider for a caller of another protocol. */
export interface BodyTranslation extends ReplyTranslation {
  /** The schema of the answer: a body that has it fenced or in prose becomes the JSON that it holds, as a loss. */
  answerSchema?: Json | undefined;
}

/** A translated unary body. */
export interface TranslatedBody {
  /** The status to answer with: 200, or that of the error that the body is. */
  status: number;
  /** The reply, or the error, in the caller's protocol. */
  body: JsonObject;
  /** What the caller's protocol cannot express of the reply. */
  losses: readonly Loss[];
  /** Usage, finish and failure. */
  observation: Observation;
}

/**
 * Translates a unary body that was answered with a status below 400. An error becomes one of the caller's protocol,
 * with its status; so does a body that cannot be read, such as broken JSON (`undefined`).
 *
 *     const head = { id: "1", model: "best", created: 1_700_000_000 };
 *     const { status, body } = translateBody(parseWire(text), { from: msgstyle, to: chatstyle, head });
 *     status; // 200, or 529 for { type: "error", error: { type: "overloaded_error", … } }
 *     body; // { id: "chatcmpl-1", object: "chat.completion", created: 1700000000, model: "best", choices: […], … }
 */
export function translateBody(
  body: Json | undefined,
  { from, to, head, ...options }: BodyTranslation,
): TranslatedBody {
  const reply = new TranslatedReply(from, to, head, options);
  try {
    const { status, body: translated } = reply.parsed(200, body);
    return { status, body: translated, losses: reply.losses, observation: reply.observation() };
  } catch (error) {
    if (!(error instanceof MalformedReply)) throw error;
    const failure = { kind: "unavailable", status: 502, message: error.message } as const;
    return { ...to.failure.encode(failure), losses: [], observation: { content: 0, failure } };
  }
}

/** The streamed reply of a provider for a caller of another protocol. */
export interface StreamTranslation extends ReplyTranslation {
  /** The form of the caller's stream. Default: server-sent events. */
  framing?: Pick<Framing, "frame" | "close"> | undefined;
  /** Receives what is known of the reply once it is over, also of one that is left before its end. */
  onEnd?(observation: Observation, losses: readonly Loss[]): void;
}

/**
 * Translates the bytes of a stream while they arrive, cut anywhere. Gives the caller's text. A stream that breaks off,
 * or cannot be read, ends by an error of the caller's protocol. Throws a `TypeError` for text in place of bytes.
 *
 *     const head = { id: "1", model: "best", created: 1_700_000_000 };
 *     for await (const text of translateStream(bytes, { from: msgstyle, to: chatstyle, head }))
 *       write(text); // 'data: {"id":"chatcmpl-1",…}\n\n'
 */
export async function* translateStream(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { from, to, head, onEnd, ...options }: StreamTranslation,
): AsyncGenerator<string, void> {
  const reply = new TranslatedReply(from, to, head, options);
  try {
    let fault: string | undefined;
    const broken = (): void => {
      fault = "The connection to the provider broke off.";
    };
    try {
      for await (const some of untilBroken(bytes, broken)) {
        if (!ArrayBuffer.isView(some))
          throw new TypeError(`translateStream takes bytes, not ${typeof some}s.`);
        const text = reply.push(some);
        if (text !== "") yield text;
      }
    } catch (error) {
      fault = wordsOf(error);
    }
    yield finished(reply, fault);
  } finally {
    onEnd?.(reply.observation(), reply.losses);
  }
}

/** Values until their source fails: it alone can break off, and other errors are the program's. */
async function* untilBroken<T>(
  source: AsyncIterable<T> | Iterable<T>,
  broken: () => void,
): AsyncGenerator<T, void> {
  try {
    yield* source;
  } catch {
    broken();
  }
}

function finished(reply: TranslatedReply, fault: string | undefined): string {
  try {
    return reply.finish(fault);
  } catch (error) {
    return reply.finish(wordsOf(error));
  }
}

/** The words for what a provider sent in place of a reply. Any other error is a defect, which is thrown on. */
function wordsOf(error: unknown): string {
  if (error instanceof MalformedReply || error instanceof FrameTooLong) return error.message;
  throw error;
}

/** A machine from the provider's chunks, which are parsed, to the caller's. `lose` receives losses. */
export const translateChunks = ({
  from,
  to,
  head,
  restore,
  lose = ignoreLosses,
}: ReplyTranslation & { lose?: Lose }): Machine<Json, Json> =>
  chain(new ReplyReader(from, failSilentEnds(from, to, restore)), to.reply.encode(head, lose));
