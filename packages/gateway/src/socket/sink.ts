import { type AnyCodec, DONE, readFrames, splice } from "@manifold-gateway/core";
import {
  FRAME_LIMIT,
  isObject,
  type JsonObject,
  parseBounded,
  truncated,
} from "@manifold-gateway/core/codec";
import { announce, type Sink, type TextEncoding } from "../http/exchange.ts";
import { closings, type Peer } from "../http/peer.ts";
import { answerFrame, errorFrame, eventHeaders, withStatus } from "./frames.ts";

export interface SinkOptions {
  codec: AnyCodec;
  /** Milliseconds after which a client that does not read is disconnected. */
  writeTimeout: number;
  /** Called with the events that are more than a text delta. */
  onEvent(event: JsonObject): void;
  /** Called when the whole answer has been sent. */
  ended(): void;
}

/** Matches the events that have to be parsed; all others go out as text. */
const PARSED = /"response\.(?:created|output_item\.done|completed|incomplete|failed|cancelled)"|"error"/;

/**
 * The destination of one answer on a socket: the events of its stream become messages. Because the socket stays open,
 * an error before the first event and a stream that broke off are sent as events. The headers of the answer go with
 * its first event.
 */
export class SocketSink implements Sink {
  declare stamp?: Record<string, string>;
  watch: Sink["watch"] = undefined;
  readonly #peer: Peer;
  readonly #options: SinkOptions;
  readonly #frames = readFrames(FRAME_LIMIT);
  #status = 0;
  #headers: Record<string, string> = {};
  /** The body of a unary answer. */
  #whole: string | undefined;
  #begun = false;
  #ended = false;

  constructor(peer: Peer, options: SinkOptions) {
    this.#peer = peer;
    this.#options = options;
  }

  get started(): boolean {
    return this.#status > 0;
  }

  get status(): number {
    return this.#status;
  }

  get closed(): boolean {
    return this.#peer.closed;
  }

  onLeave(listener: () => void): () => void {
    return this.#peer.onClose(listener);
  }

  head(status: number, headers: Record<string, string>, usual?: Record<string, string>): void {
    announce(this);
    if (this.#status > 0) return;
    this.#status = status;
    this.#headers = { ...this.stamp, ...usual, ...headers };
    if (!this.#headers["content-type"]?.startsWith("text/event-stream")) this.#whole = "";
  }

  write(chunk: string | Uint8Array, encoding: TextEncoding = "utf8"): Promise<void> | undefined {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, encoding) : Buffer.from(chunk);
    if (this.#whole === undefined) return this.#send(this.#frames.step(bytes));
    this.#whole += bytes.toString();
    return undefined;
  }

  end(chunk?: string | Uint8Array, encoding?: TextEncoding): void {
    if (chunk !== undefined && chunk !== "") this.write(chunk, encoding);
    const { codec, ended } = this.#options;
    if (this.#whole !== undefined)
      this.#sendText(answerFrame(codec, this.#status, this.#whole, this.#headers));
    else {
      this.#send(this.#frames.end());
      if (!this.#ended) this.#sendText(errorFrame(codec, truncated));
    }
    ended();
  }

  abort(): void {
    this.#peer.close(...closings.broken);
  }

  #send(frames: readonly { data: string }[]): Promise<void> | undefined {
    let slow: Promise<void> | undefined;
    for (const { data } of frames) if (data !== DONE && data !== "") slow = this.#event(data) ?? slow;
    return slow && this.#withTimeout(slow);
  }

  #event(data: string): Promise<void> | undefined {
    // Its reader may have begun the next response, to which a second end would seem to belong.
    if (this.#ended) return undefined;
    const { codec, onEvent } = this.#options;
    const event = PARSED.test(data) ? parseBounded(data) : undefined;
    let text = data;
    if (isObject(event)) {
      this.#ended ||= codec.frame.last(event);
      const whole = withStatus(codec, event);
      if (whole !== event) text = JSON.stringify(whole);
      onEvent(event);
    }
    const frameHeaders = this.#begun ? undefined : eventHeaders(this.#headers);
    if (frameHeaders) text = splice(text, { headers: frameHeaders });
    this.#begun = true;
    return this.#sendText(text);
  }

  #sendText(text: string): Promise<void> | undefined {
    return this.#peer.closed ? undefined : this.#peer.send(text);
  }

  #withTimeout(slow: Promise<void>): Promise<void> {
    const timer = setTimeout(() => this.#peer.cut(), this.#options.writeTimeout);
    return slow.finally(() => clearTimeout(timer));
  }
}
