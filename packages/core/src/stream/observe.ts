import { type Billed, mergeBilled } from "../codec/billing-facts.ts";
import type { AnyProvider } from "../codec/codec.ts";
import { DONE } from "../codec/codec-base.ts";
import type { Failure } from "../ir/failure.ts";
import type { Event, Finish, Usage } from "../ir/index.ts";
import { isObject, type Json, parseJson } from "../json/json.ts";
import { stringEnd } from "../json/scan.ts";

/** The facts of a reply that its events give and its settlement needs. */
export interface Summary {
  usage?: Usage;
  /** The end of the first alternative that there is. */
  finish?: Finish;
  failure?: Failure;
  /** UTF-16 units of generated content seen: what an answer without usage is estimated by. */
  content: number;
}

/** The facts of a reply that passed by: enough to settle it. */
export interface Observation extends Summary {
  /** The facts about its bill beside tokens. */
  billed?: Billed;
}

/**
 * Watches a reply of one protocol without translating it. Chunks that can hold neither usage nor an end nor an
 * error are measured, not parsed.
 */
export const observe = (codec: AnyProvider): Observer => new Observer(codec);

/** A class, because open streams are many and an object of functions takes several times its memory. */
class Observer {
  readonly #facts: Observation = { content: 0 };
  readonly #codec: AnyProvider;
  readonly #machine: ReturnType<AnyProvider["reply"]["decode"]>;
  readonly #patterns: Patterns;
  /** The text that the machine read; on wires that repeat their content it may have been measured before. */
  #read = 0;
  #ended = false;

  constructor(codec: AnyProvider) {
    this.#codec = codec;
    this.#machine = codec.reply.decode();
    this.#patterns = patternsOf(codec);
  }

  /** One chunk's JSON text. Says whether the chunk ends the reply, and whether it is an error. */
  chunk(text: string): { last: boolean; failed: boolean } {
    if (text === DONE) return { last: true, failed: false };
    const facts = this.#facts;
    const { marked, keys } = this.#patterns;
    if (!marked.test(text)) {
      facts.content += measure(text, keys);
      return { last: false, failed: false };
    }
    const chunk = parseJson(text);
    if (chunk === undefined) return { last: false, failed: false };
    if (this.#codec.reply.repeats) facts.content += measure(text, keys);
    for (const event of this.#machine.step(chunk)) this.#add(event);
    addBilling(facts, this.#codec, chunk);
    return { last: this.#codec.frame.last(chunk), failed: facts.failure !== undefined };
  }

  /**
   * Skims the text of several events, each closed by an empty line; returns how much of its start is done with.
   * What follows begins with an event that has to be looked into.
   */
  skim(text: string): number {
    const { marked, keys } = this.#patterns;
    const mark = text.search(marked);
    const end = mark < 0 ? text.length : text.lastIndexOf("\n\n", mark) + 2;
    if (end < 2) return 0;
    this.#facts.content += measure(end < text.length ? text.slice(0, end) : text, keys);
    return end;
  }

  /** The facts so far, while more may come. */
  soFar(): Observation {
    return this.#facts;
  }

  /** The facts, once there is no more. */
  end(): Observation {
    // On some wires only the end of the stream shows which finish was the last. A failure here would only repeat that
    // there is no finish.
    if (!this.#ended)
      for (const event of this.#machine.end())
        if (event.type === "finish" || event.type === "usage") this.#add(event);
    this.#ended = true;
    return this.#facts;
  }

  #add(event: Event): void {
    const facts = this.#facts;
    if (!this.#codec.reply.repeats || event.type !== "delta") addEvent(facts, event);
    else {
      this.#read += event.text.length;
      facts.content = Math.max(facts.content, this.#read);
    }
  }
}

/** Adds the facts of an event. */
export function addEvent(observation: Observation, event: Event): void {
  switch (event.type) {
    case "delta":
      observation.content += event.text.length;
      break;
    case "usage":
      observation.usage = event.usage;
      break;
    case "finish": {
      const { type: _, choice = 0, ...finish } = event;
      // A reply may lack the first alternative.
      if (choice === 0 || !observation.finish) observation.finish = finish;
      break;
    }
    case "failure":
      observation.failure = event.failure;
      break;
  }
}

/** Adds the facts about billing in a chunk or in a whole body. */
export function addBilling(
  observation: Observation,
  { billing }: Pick<AnyProvider, "billing">,
  chunk: Json,
): void {
  const billed = isObject(chunk) ? billing.billed(chunk) : undefined;
  if (!billed) return;
  const isMerged = observation.billed !== undefined || billed.calls !== undefined || billed.ids !== undefined;
  observation.billed = isMerged ? mergeBilled(observation.billed ?? {}, billed) : billed;
}

/** Patterns to look for in the chunks of a codec, compiled once: a stream is searched thousands of times. */
interface Patterns {
  /** Chunks that may be more than content. */
  marked: RegExp;
  /** The opening quote of a piece of content. */
  keys: RegExp;
}

const compiled = new WeakMap<AnyProvider["reply"], Patterns>();

function patternsOf({ reply }: AnyProvider): Patterns {
  const known = compiled.get(reply);
  if (known) return known;
  const { marks, content } = reply;
  const patterns = {
    marked: new RegExp([DONE, ...marks].map(escaped).join("|")),
    keys: new RegExp(`"(?:${content.map(escaped).join("|")})"\\s*:\\s*"`, "g"),
  };
  compiled.set(reply, patterns);
  return patterns;
}

/** Matches the opening quote of a piece of content in the JSON text of a chunk. */
export const contentKeys = (codec: AnyProvider): RegExp => patternsOf(codec).keys;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** The length of the string values of `keys` (in their quotes) in JSON text, escapes counted as written. */
function measure(text: string, keys: RegExp): number {
  let total = 0;
  keys.lastIndex = 0;
  while (keys.test(text)) {
    const value = keys.lastIndex;
    keys.lastIndex = stringEnd(text, value - 1);
    total += keys.lastIndex - value - 1;
  }
  return total;
}
