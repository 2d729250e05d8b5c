import type { Event, TokenLogprob } from "../ir/index.ts";

const UNREADABLE = "\ufffd";

const endsInHalfCharacter = (text: string): boolean => {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
};

/**
 * Joins characters that a provider split over two events, as tokenizers do with emoji: strict JSON readers refuse an
 * event with half of one. A first half is held until the next text of its part. A half without the other one becomes
 * U+FFFD.
 */
export class CharacterJoiner {
  readonly #halves = new Map<number, string>();

  /** The events with whole characters; the same list if nothing is cut. */
  join(events: Event[]): Event[] {
    return this.#halves.size === 0 && events.every(isWhole)
      ? events
      : events.flatMap((event) => this.#joined(event));
  }

  #joined(event: Event): Event[] {
    if (event.type === "logprobs") return [{ ...event, tokens: event.tokens.map(readable) }];
    if (event.type !== "delta" && event.type !== "close") return [event];
    const { index } = event;
    const half = this.#halves.get(index) ?? "";
    this.#halves.delete(index);
    if (event.type === "close")
      return half === "" ? [event] : [{ type: "delta", index, text: UNREADABLE }, event];
    const all = half + event.text;
    const text = endsInHalfCharacter(all) ? all.slice(0, -1) : all;
    if (text.length < all.length) this.#halves.set(index, all.slice(-1));
    return text === "" ? [] : [{ ...event, text: text.toWellFormed() }];
  }
}

/** Half a character in a token is replaced; clients that need it find it in the token's bytes. */
const readable = (one: TokenLogprob): TokenLogprob => ({
  ...one,
  token: one.token.toWellFormed(),
  ...(one.top && { top: one.top.map((other) => ({ ...other, token: other.token.toWellFormed() })) }),
});

const isWhole = (event: Event): boolean =>
  event.type === "delta"
    ? event.text.isWellFormed()
    : event.type !== "logprobs" || event.tokens.every(isWholeToken);

const isWholeToken = ({ token, top = [] }: TokenLogprob): boolean =>
  token.isWellFormed() && top.every((other) => other.token.isWellFormed());
