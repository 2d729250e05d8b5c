import type { Event, TokenLogprob } from "../ir/index.ts";

const UNREADABLE = "\ufffd";

const endsInHalf = (text: string): boolean => {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
};

/**
 * Joins characters that a provider cut in two, as tokenizers do with emoji: strict readers of JSON refuse an event
 * that holds half of one. A first half waits for the next words of its part; one that stays alone is unreadable.
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
    const text = endsInHalf(all) ? all.slice(0, -1) : all;
    if (text.length < all.length) this.#halves.set(index, all.slice(-1));
    return text === "" ? [] : [{ ...event, text: text.toWellFormed() }];
  }
}

/** The token of half a character has its bytes beside it. */
const readable = (one: TokenLogprob): TokenLogprob => ({
  ...one,
  token: one.token.toWellFormed(),
  ...(one.top && { top: one.top.map((other) => ({ ...other, token: other.token.toWellFormed() })) }),
});

const isWhole = (event: Event): boolean =>
  event.type === "delta"
    ? event.text.isWellFormed()
    : event.type !== "logprobs" || event.tokens.every(hasWhole);

const hasWhole = ({ token, top = [] }: TokenLogprob): boolean =>
  token.isWellFormed() && top.every((other) => other.token.isWellFormed());
