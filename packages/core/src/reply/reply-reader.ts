import type { AnyProvider } from "../codec/codec.ts";
import { chain, type Machine, run } from "../codec/machine.ts";
import { truncated } from "../ir/failure.ts";
import type { Event } from "../ir/index.ts";
import { isObject, type Json } from "../json/json.ts";
import { addBilling, addEvent, type Observation } from "../stream/observe.ts";
import { CharacterJoiner } from "../stream/whole-characters.ts";

/** Reads the chunks of a reply as events, with the names that its caller used, and observes them. */
export class ReplyReader implements Machine<Json, Event> {
  observation: Observation = { content: 0 };
  readonly #codec: AnyProvider;
  readonly #machine: Machine<Json, Event>;
  readonly #characters = new CharacterJoiner();
  /** The last chunk of a stream. */
  #last: Json = null;
  #isRead = false;

  /** `restore` is the machine that the encoded request gave. */
  constructor(codec: AnyProvider, restore?: Machine<Event, Event>) {
    this.#codec = codec;
    this.#machine = restore ? chain(codec.reply.decode(), restore) : codec.reply.decode();
  }

  step(chunk: Json): Event[] {
    if (isObject(chunk)) this.#last = chunk;
    return this.#billed(this.#machine.step(chunk));
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

  #billed(events: Event[]): Event[] {
    // Facts about billing are in the chunk of the usage or of the finish, which may be sent at the end.
    if (events.some(({ type }) => type === "usage" || type === "finish"))
      addBilling(this.observation, this.#codec, this.#last);
    return this.#observed(events);
  }

  #observed(events: Event[]): Event[] {
    const whole = this.#characters.join(events);
    for (const event of whole) addEvent(this.observation, event);
    return whole;
  }
}
