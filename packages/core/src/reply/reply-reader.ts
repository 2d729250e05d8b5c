import type { AnyProvider } from "../codec/codec.ts";
import { chain, type Machine, run } from "../codec/machine.ts";
import type { ReplyDecoder } from "../codec/provider-codec.ts";
import { truncated } from "../ir/failure.ts";
import type { Event } from "../ir/index.ts";
import { isObject, type Json } from "../json/json.ts";
import { type Wires, wires } from "../protocols/facts.ts";
import { ChunkTemplates } from "../stream/chunk-templates.ts";
import { addBilling, addEvent, type Observation } from "../stream/observe.ts";
import type { Frame } from "../stream/read-frames.ts";
import { asError } from "../stream/stray-error.ts";
import { CharacterJoiner } from "../stream/whole-characters.ts";

/** Reads the chunks of a reply as events, with the names that its caller used, and observes them. */
export class ReplyReader implements Machine<Json, Event> {
  observation: Observation = { content: 0 };
  /** What `read` found in the last frame that is more than the words of a delta. */
  chunk: Json = null;
  readonly #codec: AnyProvider;
  readonly #decoder: ReplyDecoder;
  readonly #restore: Machine<Event, Event> | undefined;
  readonly #machine: Machine<Json, Event>;
  readonly #wires: Wires;
  readonly #characters = new CharacterJoiner();
  #templates: ChunkTemplates | undefined;
  /** The last chunk gave nothing but a delta of its words: one that differs only by them does the same. */
  #isSteady = false;
  /** The last chunk of a stream but for those with usage: the one of the finish. */
  #last: Json = null;
  #isRead = false;

  /** `restore` is the machine that the encoded request gave. */
  constructor(codec: AnyProvider, restore?: Machine<Event, Event>, protocols: Wires = wires) {
    this.#codec = codec;
    this.#decoder = codec.reply.decode();
    this.#restore = restore;
    this.#machine = restore ? chain(this.#decoder, restore) : this.#decoder;
    this.#wires = protocols;
  }

  step(chunk: Json): Event[] {
    this.#isSteady = false;
    return this.#billed(this.#machine.step(chunk), chunk);
  }

  /** The same for a chunk in its frame; undefined if it is no JSON. */
  read({ data, event: name }: Frame): Event[] | undefined {
    this.#templates ??= new ChunkTemplates(this.#codec, this.#wires);
    const isError = name === "error";
    const words = this.#templates.wordsOf(data);
    const delta = this.#isSteady && words && !isError ? this.#decoder.words?.(words) : undefined;
    if (delta) return this.#observed(this.#restore ? this.#restore.step(delta) : [delta]);
    const chunk = this.#templates.read(data, words);
    if (chunk === undefined) return undefined;
    this.chunk = chunk;
    const events = this.#decoder.step(isError ? asError(chunk) : chunk);
    this.#isSteady = words !== undefined && isDeltaOf(events, words);
    const restored = this.#restore ? events.flatMap((event) => this.#restore!.step(event)) : events;
    return this.#billed(restored, chunk);
  }

  end(): Event[] {
    this.#isRead = true;
    return this.#billed(this.#machine.end());
  }

  /** The events of a unary body, in place of `step` and `end`. */
  body(body: Json): Event[] {
    this.#isRead = true;
    addBilling(this.observation, this.#codec, body);
    return this.#observed(run(this.#machine, this.#codec.reply.burst(body)));
  }

  /** Forgets a reply of which nothing is delivered, so that nothing of it counts. */
  discard(): void {
    this.observation = { content: 0 };
  }

  /** The event of a reply that broke off; none if it was over. `message` says why. */
  breakOff(message: string): Event[] {
    const { failure, finish } = this.observation;
    if (failure || finish) return [];
    const brokenOff: Event = { type: "failure", failure: { ...truncated, message } };
    // Only the end shows whether all alternatives had finished.
    const events = this.#isRead ? [brokenOff] : this.#machine.end();
    this.#isRead = true;
    return this.#billed(events.map((event) => (event.type === "failure" ? brokenOff : event)));
  }

  /** `chunk` is the one that the events are of. */
  #billed(events: Event[], chunk: Json = null): Event[] {
    // Facts about billing are in the chunk of the usage or of the finish, which may be an event of the end.
    if (events.some(({ type }) => type === "usage")) addBilling(this.observation, this.#codec, chunk);
    else if (isObject(chunk)) this.#last = chunk;
    if (events.some(({ type }) => type === "finish")) addBilling(this.observation, this.#codec, this.#last);
    return this.#observed(events);
  }

  #observed(events: Event[]): Event[] {
    const whole = this.#characters.join(events);
    for (const event of whole) addEvent(this.observation, event);
    return whole;
  }
}

/** True if the text is all that a chunk gave rise to. */
const isDeltaOf = ([event, ...others]: readonly Event[], text: string): boolean =>
  event?.type === "delta" && event.text === text && others.length === 0;
