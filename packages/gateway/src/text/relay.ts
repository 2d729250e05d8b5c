import { isAscii } from "node:buffer";
import { type AnyCodec, DONE, type Observation, observe, writeFrame } from "@manifold-gateway/core";
import { isTooDeep, truncated } from "@manifold-gateway/core/codec";
import type { Hide } from "../generation/hide-secrets.ts";
import { MalformedReply } from "../http/fault.ts";
import { dataOnly } from "./data-only.ts";
import { renaming } from "./rename-model.ts";
import { FRAME_LIMIT, type Framing, type StreamTransform } from "./stream-transform.ts";

/** A byte order mark, byte for byte. */
const MARK = "\u00ef\u00bb\u00bf";
const COMMENT = /^(?:\u00ef\u00bb\u00bf)?:/;
const BOUNDARY = /\r\n\r\n|\n\n|\r\r|\r\n\n|\n\r\n/g;

/**
 * Relays a stream unchanged, event by event, while observing it. Of protocols with data only, other lines are left out. `framing` is given only if the caller wants other
 * frames than server-sent events, which then hold the text of the chunks. Text is kept as latin1, one character for
 * each byte, so that bytes are relayed without decoding. Only failures go through `hide`. `name` replaces the model's
 * name.
 */
export function relayTransform(
  codec: AnyCodec,
  framing?: Framing,
  hide: Hide = (text) => text,
  name?: string,
): StreamTransform {
  const rename = name === undefined ? undefined : renaming(codec, toBytes(JSON.stringify(name)));
  const watch = observe(codec);
  /** The beginning of an incomplete event, in the pieces in which it arrived. */
  let pending: string[] = [];
  let waiting = 0;
  /** Whether all bytes so far were ASCII. */
  let ascii = true;
  let held = "";
  let holding = false;
  /** Chunks to send next that were held: as the end of the reply, but more followed, or from before its beginning. */
  let freed = "";
  /** Events without data from before the first chunk, such as a proxy's page: shown only once a reply begins. */
  let early = "";
  let earlySize = 0;
  let begun = false;
  let closed = false;
  let failed = false;
  let over = false;

  const show = (): void => {
    freed += early;
    early = "";
  };
  const begin = (): void => {
    begun = true;
    show();
  };

  const take = (sentFrame: string): string => {
    // What a provider sends after the end is dropped.
    if (closed || (failed && codec.frame.serviceFailure)) return "";
    const frame = codec.frame.dataOnly ? dataOnly(sentFrame) : sentFrame;
    const raw = dataOf(frame);
    const data = raw === undefined ? undefined : decoded(raw);
    // Some servers keep a connection alive by empty events.
    if (data === undefined || data.trim() === "") {
      if (framing) return "";
      if (begun) return frame;
      if (COMMENT.test(frame)) {
        show();
        return frame;
      }
      early += frame;
      earlySize += sentFrame.length;
      if (earlySize > FRAME_LIMIT) throw new MalformedReply();
      return "";
    }
    // The end marker alone is not yet a reply.
    if (!begun && data !== DONE) begin();
    // A chunk that is not an object was damaged in transit, and nothing after it can be trusted.
    if (data !== DONE && !(data.startsWith("{") && data.trimEnd().endsWith("}"))) throw new MalformedReply();
    // Parsers recurse: a chunk nested too deep overflows their stack.
    if (isTooDeep(data)) throw new MalformedReply();
    const { last, failed: error } = watch.chunk(data);
    if (data === DONE) closed = true;
    else if (holding && codec.frame.more) {
      freed += held;
      held = "";
    }
    if (error && !failed) {
      failed = true;
      if (codec.frame.serviceFailure) {
        holding = true;
        held += failure(watch.end());
        return "";
      }
    }
    holding ||= last;
    const sent = rename && data !== DONE ? rename(raw as string) : (raw as string);
    const shown = framing
      ? data === DONE
        ? ""
        : framing.frame(sent)
      : sent === raw
        ? frame
        : withData(frame, raw as string, sent);
    return failed ? hide(shown) : shown;
  };

  const failure = (observation: Observation): string => {
    const chunk = inBand(codec, hide(observation.failure?.message ?? truncated.message));
    return toBytes(framing ? framing.frame(chunk) : writeFrame(chunk));
  };

  const decoded = (text: string): string => (ascii ? text : toText(text));

  /** The number of bytes at the start that are plain events, which need not be examined one by one. */
  const skim = (text: string): number => {
    if (text === "") return 0;
    const whole = decoded(text);
    // Bytes that are not UTF-8 were replaced by longer ones, so that positions differ.
    if (!ascii && whole.includes("\ufffd")) return 0;
    const done = watch.skim(whole);
    if (done === whole.length) return text.length;
    return ascii ? done : toBytes(whole.slice(0, done)).length;
  };

  const frames = (text: string): string => {
    let from =
      framing || holding || failed || rename ? 0 : skim(text.slice(0, plainUpTo(text, codec.frame.dataOnly)));
    if (from > 0 && !begun) begin();
    let out = freed + text.slice(0, from);
    freed = "";
    BOUNDARY.lastIndex = from;
    for (let match = BOUNDARY.exec(text); match; match = BOUNDARY.exec(text)) {
      const frame = take(text.slice(from, BOUNDARY.lastIndex));
      if (freed !== "") {
        out += freed;
        freed = "";
      }
      if (holding) held += frame;
      else out += frame;
      from = BOUNDARY.lastIndex;
    }
    if (from < text.length) wait(text.slice(from));
    return out;
  };

  const wait = (text: string): void => {
    pending.push(text);
    waiting += text.length;
    if (waiting > FRAME_LIMIT) throw new MalformedReply("An event of the upstream stream is too long.");
  };

  /** Removes and returns the pieces of the incomplete event. */
  const waited = (): string => {
    if (waiting === 0) return "";
    const text = pending.join("");
    pending = [];
    waiting = 0;
    return text;
  };

  return {
    encoding: "latin1",
    push(bytes) {
      ascii &&= isAscii(bytes);
      const text = latin1(bytes);
      // A long event arrives in many pieces, which are joined only once its end has arrived.
      if (waiting > 0 && !/[\r\n]/.test(text)) {
        wait(text);
        return "";
      }
      return frames(waited() + text);
    },
    finish(fault) {
      over = true;
      const rest = waited();
      // Chunks that may be sent come before the held ones.
      const out = fault === undefined && rest.trim() !== "" ? frames(`${rest}\n\n`) : "";
      held = out + held;
      // Nothing of it was a reply, so nothing is relayed. If nothing was sent yet, the answer is an error status.
      if (!begun && fault === undefined) throw new MalformedReply();
      const observation = watch.end();
      const whole = closed || observation.finish !== undefined;
      if (failed || !whole || fault !== undefined) {
        // A stream that the provider broke off ends without its completion. Two protocols let us add an error event.
        observation.failure ??= fault === undefined ? truncated : { ...truncated, message: fault };
        if (!failed && codec.frame.serviceFailure) held = failure(observation);
        return held + (framing?.close() ?? "");
      }
      if (codec.frame.closing && !closed && !framing) held += writeFrame(codec.frame.closing);
      return held + (framing?.close() ?? "");
    },
    // Checkpoints call this in mid-stream, where `end` must not be called: a codec reads no usage after its end.
    observation: () => (over ? watch.end() : watch.soFar()),
  };
}

/**
 * The length of the leading text that consists of whole events in their usual spelling, each with an object. They are
 * examined and relayed together.
 */
function plainUpTo(text: string, isDataOnly = false): number {
  const end = text.lastIndexOf("\n\n") + 2;
  if (end < 2 || text.includes("\r")) return 0;
  for (let from = 0; from < end; ) {
    const data = !isDataOnly && text.startsWith("event:", from) ? text.indexOf("\n", from) + 1 : from;
    const close = text.indexOf("\n\n", from);
    if (!text.startsWith("data: {", data) || text.charCodeAt(close - 1) !== 125) return from;
    // One data line only: a second would have to be joined with the first.
    if (text.indexOf("\n", data) !== close) return from;
    from = close + 2;
  }
  return end;
}

/** The chunk that reports a failed stream to a caller of this protocol. */
function inBand(codec: AnyCodec, message: string): string {
  const machine = codec.reply.encode({ id: "", model: "", created: 0 }, () => {});
  const chunks = machine.step({ type: "failure", failure: { ...truncated, message } });
  return JSON.stringify(chunks.at(-1));
}

/** The event with its data replaced. */
function withData(frame: string, raw: string, data: string): string {
  const at = frame.indexOf(raw);
  if (at >= 0) return frame.slice(0, at) + data + frame.slice(at + raw.length);
  const others = frame.split(/\r\n|\r|\n/).filter((line) => line !== "" && !line.startsWith("data:"));
  return `${[...others, `data: ${data}`].join("\n")}\n\n`;
}

/** The data of one event; undefined if it has none, as a comment or a name alone. */
function dataOf(frame: string): string | undefined {
  const first = frame.startsWith(MARK) ? MARK.length : 0;
  const start = frame.startsWith("data:", first)
    ? first
    : frame.startsWith("event:", first)
      ? afterLine(frame)
      : -1;
  const end = start < 0 ? -1 : lineEnd(frame, start);
  // The usual event: an optional name, one data line, and the blank line.
  if (start >= 0 && frame.startsWith("data:", start) && frame.slice(end).trim() === "")
    return frame.slice(start + 5, end).replace(/^ /, "");
  const lines = frame.slice(first).split(/\r\n|\r|\n/);
  const data = lines
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).replace(/^ /, ""));
  return data.length > 0 ? data.join("\n") : undefined;
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
const toText = (bytes: string): string => Buffer.from(bytes, "latin1").toString();
const toBytes = (text: string): string => Buffer.from(text).toString("latin1");

const lineEnd = (text: string, from: number): number => {
  const feed = text.indexOf("\n", from);
  if (feed >= 0 && !text.includes("\r")) return feed;
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== 10 && text.charCodeAt(at) !== 13) at += 1;
  return at;
};

const afterLine = (text: string): number => {
  const end = lineEnd(text, 0);
  return text.startsWith("\r\n", end) ? end + 2 : end + 1;
};
