import type { Machine } from "../codec/machine.ts";
import type { Citation, Event } from "../ir/index.ts";
import { closingOf, openingOf } from "./tag-thoughts.ts";

/** The most characters that are held back: a model can write white space without end. */
const MAX_HELD = 1_000;

/**
 * Makes the thoughts that a model writes into its text, in a tag at the beginning of it, parts of their own. With
 * `begun` the tag was opened in the prompt, so that the reply begins with thoughts.
 */
export function untagThoughts(tag: string, begun: boolean): Machine<Event, Event> {
  const places = new Map<number, number>();
  const texts = new Map<number, TaggedText>();
  const begunChoices = new Set<number>();
  let parts = 0;
  const place = (index: number): number => {
    const known = places.get(index) ?? parts++;
    places.set(index, known);
    return known;
  };
  return {
    step(event) {
      switch (event.type) {
        case "open": {
          const { index, choice = 0, part } = event;
          const isFirst = !begunChoices.has(choice);
          begunChoices.add(choice);
          if (part.type !== "text" || part.refusal) return [{ ...event, index: place(index) }];
          texts.set(index, new TaggedText(tag, begun && isFirst, event, () => parts++));
          return [];
        }
        case "delta":
        case "cite":
        case "logprobs":
        case "close": {
          const text = texts.get(event.index);
          if (!text) return [{ ...event, index: place(event.index) }];
          if (event.type === "close") texts.delete(event.index);
          return text.step(event);
        }
        default:
          return [event];
      }
    },
    end: () => [...texts.values()].flatMap((text) => text.flush()),
  };
}

type OpenText = Event & { type: "open" };
type TextEvent = Event & { type: "delta" | "cite" | "logprobs" | "close" };

/** One text of a reply: thoughts in a tag and the text behind them, or the text alone. */
class TaggedText {
  /** `start` until it is known how the text begins; `gap` is white space between the thoughts and the text. */
  #state: "start" | "thoughts" | "gap" | "text" = "start";
  /** Characters that may belong to a tag, or are white space beside one. */
  #held = "";
  #received = 0;
  /** The characters before the text, by which the places of citations differ. */
  #before = 0;
  #thoughts: number | undefined;
  #text: number | undefined;
  readonly #opening: string;
  readonly #closing: string;
  readonly #begun: boolean;
  readonly #open: OpenText;
  readonly #next: () => number;

  constructor(tag: string, begun: boolean, open: OpenText, next: () => number) {
    this.#opening = openingOf(tag);
    this.#closing = closingOf(tag);
    this.#begun = begun;
    this.#open = open;
    this.#next = next;
  }

  step(event: TextEvent): Event[] {
    if (event.type === "delta") {
      this.#received += event.text.length;
      return this.#read(this.#held + event.text);
    }
    if (event.type === "close") return [...this.flush(), ...this.#close(event)];
    // Tokens of thoughts are not those of the text.
    if (event.type === "logprobs")
      return this.#before > 0 || this.#state === "thoughts" ? [] : this.#pass(event);
    return this.#pass({ ...event, citation: this.#moved(event.citation) });
  }

  /** Writes what was held back. */
  flush(): Event[] {
    const held = this.#held;
    this.#held = "";
    if (held === "" || this.#state === "gap") return [];
    return this.#state === "thoughts" ? this.#think(held.trimEnd()) : this.#write(held);
  }

  #read(all: string): Event[] {
    switch (this.#state) {
      case "start":
        return this.#start(all);
      case "thoughts": {
        const end = all.indexOf(this.#closing);
        if (end < 0) return this.#think(this.#withoutEnd(all));
        this.#state = "gap";
        const thoughts = this.#think(all.slice(0, end).trimEnd());
        const closed: Event[] =
          this.#thoughts === undefined ? [] : [{ type: "close", index: this.#thoughts }];
        return [...thoughts, ...closed, ...this.#read(all.slice(end + this.#closing.length))];
      }
      case "gap": {
        const text = all.trimStart();
        this.#held = "";
        return text === "" ? [] : this.#write(text);
      }
      case "text":
        return this.#write(all);
    }
  }

  #start(all: string): Event[] {
    const text = all.trimStart();
    const begins = (tag: string): boolean => text.startsWith(tag);
    if (begins(this.#opening)) {
      this.#state = "thoughts";
      return this.#read(text.slice(this.#opening.length));
    }
    // Of a tag that was opened in the prompt, or whose thoughts the server has taken out, the end is left.
    if (begins(this.#closing)) {
      this.#state = "gap";
      return this.#read(text.slice(this.#closing.length));
    }
    if (all.length <= MAX_HELD && [this.#opening, this.#closing].some((tag) => tag.startsWith(text))) {
      this.#held = all;
      return [];
    }
    this.#state = this.#begun ? "thoughts" : "text";
    this.#held = "";
    return this.#read(all);
  }

  /** The thoughts without what may begin the closing tag, and the white space before it, which are held back. */
  #withoutEnd(all: string): string {
    let end = all.length;
    for (let length = Math.min(end, this.#closing.length - 1); length > 0; length--)
      if (all.endsWith(this.#closing.slice(0, length))) {
        end -= length;
        break;
      }
    const least = Math.max(0, all.length - MAX_HELD);
    while (end > least && /\s/.test(all[end - 1] as string)) end -= 1;
    this.#held = all.slice(end);
    return all.slice(0, end);
  }

  #think(words: string): Event[] {
    const text = this.#thoughts === undefined ? words.trimStart() : words;
    if (text === "") return [];
    const opened: Event[] = [];
    if (this.#thoughts === undefined) {
      this.#thoughts = this.#next();
      opened.push({ ...this.#open, index: this.#thoughts, part: { type: "reasoning" } });
    }
    return [...opened, { type: "delta", index: this.#thoughts, text }];
  }

  #write(text: string): Event[] {
    if (this.#text === undefined) this.#before = this.#received - text.length;
    this.#state = "text";
    return this.#pass({ type: "delta", index: 0, text });
  }

  /** The event with the number of the text, which it opens. */
  #pass(event: TextEvent): Event[] {
    const opened: Event[] = [];
    if (this.#text === undefined) {
      this.#text = this.#next();
      opened.push({ ...this.#open, index: this.#text });
    }
    return [...opened, { ...event, index: this.#text }];
  }

  #close(event: TextEvent): Event[] {
    const thoughts: Event[] =
      this.#state === "thoughts" && this.#thoughts !== undefined
        ? [{ type: "close", index: this.#thoughts }]
        : [];
    // Thoughts without a text behind them are all that there is.
    const isAll = this.#text === undefined && this.#thoughts !== undefined;
    return isAll ? thoughts : [...thoughts, ...this.#pass(event)];
  }

  #moved(citation: Citation): Citation {
    const { start, end, ...more } = citation;
    if (this.#before === 0 || start === undefined || start < this.#before)
      return this.#before === 0 ? citation : more;
    return { ...more, start: start - this.#before, ...(end !== undefined && { end: end - this.#before }) };
  }
}
