import { each, type Machine } from "../codec/machine.ts";
import type { Dialect } from "../dialect/index.ts";
import type { Event, Format } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";

/** The member of the object that holds the answer. */
export const ANSWER_MEMBER = "answer";
const OPENING = `{"${ANSWER_MEMBER}":`;
const BEGUN = new RegExp(`^\\s*\\{\\s*"${ANSWER_MEMBER}"\\s*:\\s*(?=\\S)`);

/** A format for targets whose answers are objects: any other answer is a member of one. */
export function wrapAnswer(
  format: Format & { type: "schema" },
  lose: Lose,
  dialect: Pick<Dialect, "wrapSchema">,
): Format & { type: "schema" } {
  lose("/format/schema", "approximated", "the answer is a member of an object, and is taken out of it");
  return { ...format, schema: dialect.wrapSchema(format.schema, ANSWER_MEMBER) };
}

/** The most characters that are held back: a model can write white space without end. */
const MAX_HELD = 1_000;

/** Takes the answer out of the object, as the text of it arrives. Other text stays as it is. */
export function unwrapAnswer(): Machine<Event, Event> {
  const texts = new Map<number, Unwrapper>();
  return each<Event, Event>((event) => {
    if (event.type === "open" && event.part.type === "text" && !event.part.refusal)
      texts.set(event.index, new Unwrapper());
    if (event.type !== "delta" && event.type !== "close" && event.type !== "logprobs") return [event];
    const { index } = event;
    const text = texts.get(index);
    if (!text) return [event];
    // Tokens of the object are not those of the answer.
    if (event.type === "logprobs") return [];
    const words = event.type === "delta" ? text.step(event.text) : text.end();
    const delta: Event[] = words === "" ? [] : [{ type: "delta", index, text: words }];
    return event.type === "close" ? [...delta, event] : delta;
  });
}

class Unwrapper {
  /** The text so far, until it is known how it begins; then its end, which may be that of the object. */
  #held = "";
  #state: "beginning" | "inside" | "plain" = "beginning";

  step(text: string): string {
    if (this.#state === "plain") return text;
    let all = this.#held + text;
    if (this.#state === "beginning") {
      const begun = BEGUN.exec(all);
      if (!begun) return this.#wait(all);
      this.#state = "inside";
      all = all.slice(begun[0].length);
    }
    let end = all.length;
    const least = Math.max(0, end - MAX_HELD);
    while (end > least && /[\s}]/.test(all[end - 1] as string)) end -= 1;
    this.#held = all.slice(end);
    return all.slice(0, end);
  }

  end(): string {
    const rest = this.#state === "inside" ? this.#held.trimEnd() : this.#held;
    return this.#state === "inside" && rest.endsWith("}") ? rest.slice(0, -1).trimEnd() : rest;
  }

  #wait(all: string): string {
    if (all.length <= MAX_HELD && OPENING.startsWith(all.replace(/\s+/g, ""))) {
      this.#held = all;
      return "";
    }
    this.#state = "plain";
    this.#held = "";
    return all;
  }
}
