import type { AnyProvider } from "../codec/codec.ts";
import { chain, type Machine, run } from "../codec/machine.ts";
import { truncated } from "../ir/failure.ts";
import type { Event } from "../ir/index.ts";
import type { Json } from "../json/json.ts";
import { addBilling, addEvent, type Observation } from "../stream/observe.ts";
import { CharacterJoiner } from "../stream/whole-characters.ts";

/** Reads the chunks of a reply as events, with the names that its caller used, and observes them. */
export class ReplyReader implements Machine<Json, Event> {
  observation: Observation = { content: 0 };
  readonly #codec: AnyProvider;
  readonly #machine: Machine<Json, Event>;
  readonly #characters = new CharacterJoiner();

  /** `restore` is the machine that the encoded request gave. */
  constructor(codec: AnyProvider, restore?: Machine<Event, Event>) {
    this.#codec = codec;
    this.#machine = restore ? chain(codec.reply.decode(), restore) : codec.reply.decode();
  }

  step(chunk: Json): Event[] {
    const events = this.#observed(this.#machine.step(chunk));
    // Facts about billing are in the chunk of the usage or of the finish.
    if (events.some(({ type }) => type === "usage" || type === "finish"))
      addBilling(this.observation, this.#codec, chunk);
    return events;
  }

  end(): Event[] {
    return this.#observed(this.#machine.end());
  }

  /** The events of a unary body, in place of `step` and `end`. */
  body(body: Json): Event[] {
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
    return this.#observed([{ type: "failure", failure: { ...truncated, message } }]);
  }

  #observed(events: Event[]): Event[] {
    const whole = this.#characters.join(events);
    for (const event of whole) addEvent(this.observation, event);
    return whole;
  }
}
