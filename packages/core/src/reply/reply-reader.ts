import type { AnyCaller, AnyProvider } from "../codec/codec.ts";
import { chain, type Machine, run } from "../codec/machine.ts";
import { type Failure, failureOfFinish, truncated } from "../ir/failure.ts";
import type { Event } from "../ir/index.ts";
import type { Json } from "../json/json.ts";
import { noteBill, noteEvent, type Observation } from "../stream/observe.ts";
import { CharacterJoiner } from "../stream/whole-characters.ts";

/** Reads the chunks of a reply as events, with the names that its caller used, and observes them. */
export class ReplyReader implements Machine<Json, Event> {
  observation: Observation = { content: 0 };
  readonly #codec: AnyProvider;
  readonly #machine: Machine<Json, Event>;
  readonly #characters = new CharacterJoiner();
  readonly #saysMalformed: boolean;
  /** The failure that the finish stands for. Usage may still follow the finish. */
  #malformed: Failure | undefined;

  /**
   * `restore` is the machine that the encoded request gave, `caller` the protocol that the events are written in.
   * Default: one that has a word for every finish.
   */
  constructor(codec: AnyProvider, restore?: Machine<Event, Event>, caller?: AnyCaller) {
    this.#codec = codec;
    this.#saysMalformed = !caller || caller.reply.saysMalformed === true;
    this.#machine = restore ? chain(codec.reply.decode(), restore) : codec.reply.decode();
  }

  step(chunk: Json): Event[] {
    const events = this.#observed(this.#machine.step(chunk));
    // Facts about billing are in the chunk of the usage or of the finish.
    if (events.some(({ type }) => type === "usage" || type === "finish"))
      noteBill(this.observation, this.#codec, chunk);
    return events;
  }

  end(): Event[] {
    return this.#ended(this.#machine.end());
  }

  /** The events of a unary body, in place of `step` and `end`. */
  body(body: Json): Event[] {
    noteBill(this.observation, this.#codec, body);
    return this.#ended(run(this.#machine, this.#codec.reply.burst(body)));
  }

  /** Forgets a reply of which nothing is delivered, so that nothing of it counts. */
  discard(): void {
    this.observation = { content: 0 };
  }

  /** The event of a reply that broke off; none if it was over. `message` says why. */
  breakOff(message: string): Event[] {
    const { failure, finish } = this.observation;
    if (failure || finish) return [];
    return this.#observed([{ type: "failure", failure: this.#malformed ?? { ...truncated, message } }]);
  }

  #ended(last: Event[]): Event[] {
    const events = this.#observed(last);
    const failure = this.#malformed;
    return failure ? [...events, ...this.#observed([{ type: "failure", failure }])] : events;
  }

  #observed(events: Event[]): Event[] {
    const whole = this.#characters.join(this.#saysMalformed ? events : this.#withoutMalformed(events));
    for (const event of whole) noteEvent(this.observation, event);
    return whole;
  }

  #withoutMalformed(events: Event[]): Event[] {
    if (!events.some(({ type }) => type === "finish")) return events;
    return events.filter((event) => {
      const failure = event.type === "finish" ? failureOfFinish(event) : undefined;
      this.#malformed ??= failure;
      return failure === undefined;
    });
  }
}
