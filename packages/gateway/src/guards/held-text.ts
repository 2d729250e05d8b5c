import type { Machine } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";
import type { GuardedText } from "../ports/guards.ts";

/** The most characters that are held back: of a text until the end of its sentence, and of a call's arguments. */
const SENTENCE = 1_000;
const ARGUMENTS = 64 * 1024;

/** The last index at which a text may be cut: after the end of a sentence. */
function endOfSentence(text: string): number {
  for (let at = text.length - 1; at >= 0; at--) {
    const mark = text[at] as string;
    if ("\n。！？".includes(mark)) return at + 1;
    // A point without a space after it, as in a number or an address, does not end a sentence.
    if (".!?".includes(mark) && /\s/.test(text[at + 1] ?? "")) return at + 1;
  }
  return 0;
}

/** A text that waits for its check, or an event that waits behind one. */
type Held = { check: number; text: string } | { event: Event };

/**
 * Holds back the texts of a streamed reply until they are checked, and everything after them, to keep the order. A
 * call's arguments are held as a whole. Probabilities of tokens are removed, because they repeat the text.
 */
export class HeldText implements Machine<Event, Event> {
  /** What is held back, in order. */
  readonly #queue: Held[] = [];
  /** The unfinished text of each open part. */
  readonly #open = new Map<number, { text: string; isCall: boolean; isMasked: boolean }>();
  #isOff = false;

  step(event: Event): Event[] {
    if (this.#isOff) return [event];
    switch (event.type) {
      case "logprobs":
        return [];
      case "open":
        this.#open.set(event.index, { text: "", isCall: event.part.type === "call", isMasked: false });
        return this.#pass(event);
      case "delta": {
        const part = this.#open.get(event.index);
        if (!part) return this.#pass(event);
        part.text += event.text;
        if (part.isCall) {
          if (part.text.length > ARGUMENTS) this.#cut(event.index, part.text.length);
        } else this.#cut(event.index, endOfSentence(part.text));
        if (!part.isCall && part.text.length > SENTENCE) this.#cut(event.index, lastSpace(part.text));
        return [];
      }
      case "close":
        this.#cut(event.index, Number.POSITIVE_INFINITY);
        return this.#pass(event);
      case "finish":
      case "failure":
        for (const index of this.#open.keys()) this.#cut(index, Number.POSITIVE_INFINITY);
        return this.#pass(event);
      default:
        return this.#pass(event);
    }
  }

  end(): Event[] {
    for (const index of this.#open.keys()) this.#cut(index, Number.POSITIVE_INFINITY);
    return [];
  }

  /** The texts that wait for their check. The place of each has the number of its part and its index in the queue. */
  waiting(): GuardedText[] {
    return this.#queue.flatMap((held, at) =>
      "text" in held ? [{ place: `${held.check}/${at}`, text: held.text }] : [],
    );
  }

  /** Releases everything that is held, with the changed texts by their places. */
  release(changed: ReadonlyMap<string, string>): Event[] {
    return this.#queue.splice(0).flatMap((held, at): Event[] => {
      if ("event" in held) return this.#shown(held.event);
      const { check: index, text } = held;
      const made = changed.get(`${index}/${at}`) ?? text;
      const part = this.#open.get(index);
      if (part && made !== text) part.isMasked = true;
      return made === "" ? [] : [{ type: "delta", index, text: made }];
    });
  }

  /** Drops what is held, and stops holding back, because only an error follows. */
  drop(): void {
    this.#queue.length = 0;
    this.#isOff = true;
  }

  #cut(index: number, length: number): void {
    const part = this.#open.get(index);
    const text = part?.text.slice(0, length) ?? "";
    if (!part || text === "") return;
    part.text = part.text.slice(length);
    this.#queue.push({ check: index, text });
  }

  #pass(event: Event): Event[] {
    if (this.#queue.length === 0) return this.#shown(event);
    this.#queue.push({ event });
    return [];
  }

  /** An event without the signature or the citations of a changed text. */
  #shown(event: Event): Event[] {
    const isMasked = "index" in event && this.#open.get(event.index)?.isMasked === true;
    if (event.type === "cite" && isMasked) return [];
    if (event.type !== "close") return [event];
    this.#open.delete(event.index);
    return isMasked ? [{ type: "close", index: event.index }] : [event];
  }
}

/** The index after the last space, or the end of a text without one. */
const lastSpace = (text: string): number => text.lastIndexOf(" ") + 1 || text.length;
