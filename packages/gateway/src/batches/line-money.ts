import type { BatchRef, LineEnd, Money, Reservation, Reserved } from "@manifold-gateway/store";
import { Refusal } from "../http/refusal.ts";
import type { BatchDeps } from "./deps.ts";
import { requestIdOf } from "./forms/form.ts";

type Ending = LineEnd["ending"];

/**
 * The money of one line. Its hold is written together with the line that it is for. Its end is kept until the answer is
 * known, so that both can be written together: whatever happens between, nothing is charged that was not stored.
 */
export class LineMoney implements Pick<Money, "reserve" | "settle" | "release" | "checkpoint"> {
  readonly #deps: Pick<BatchDeps, "store">;
  readonly #ref: BatchRef;
  readonly #number: number;
  /** The generation that answers the line, and its end once that is known. */
  #generation: string | undefined;
  /** The batch of a provider with which the line is sent. */
  #upstream: string | undefined;
  /** It was held for when it was sent, and its answer has come. */
  #isAnswered: boolean;
  #ending: Ending | undefined;
  #isLost = false;
  #isHeld: boolean;

  /** `generation` is that of a line which was held for before. */
  constructor(deps: Pick<BatchDeps, "store">, ref: BatchRef, number: number, generation?: string) {
    this.#deps = deps;
    this.#ref = ref;
    this.#number = number;
    this.#generation = generation;
    this.#isHeld = generation !== undefined;
    this.#isAnswered = this.#isHeld;
  }

  /** The line is sent with a batch of a provider: its hold says so. */
  sendWith(upstream: string): void {
    this.#upstream = upstream;
  }

  /** The line may not be run any more. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** The line was held for: from then on it has no end but its generation's. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** The generation whose hold was tried, with its end. */
  get generation(): { id: string; ending: Ending | undefined } | undefined {
    return this.#generation === undefined ? undefined : { id: this.#generation, ending: this.#ending };
  }

  async reserve(reservation: Reservation): Promise<Reserved> {
    if (this.#isAnswered) return { ok: true };
    const { store } = this.#deps;
    const instead = this.#generation;
    // Another model answers in place of one that failed, whose end is not the line's.
    if (instead !== undefined)
      await store.money.settle({ id: instead, ...(this.#ending ?? { status: "failed", cost: 0 }) });
    this.#ending = undefined;
    this.#generation = reservation.generation.id;
    const line = {
      number: this.#number,
      ...(instead !== undefined && { instead }),
      ...(this.#upstream !== undefined && { upstream: this.#upstream }),
    };
    // In the record from the beginning: what ends it after a crash knows no route.
    const route = { ...reservation.generation.route, requestId: requestIdOf(this.#ref, this.#number) };
    const generation = { ...reservation.generation, route };
    const held = await store.batchLines.hold(this.#ref, line, { ...reservation, generation });
    if (held.ok) {
      this.#isHeld = true;
      return held;
    }
    this.#generation = instead;
    if (held.reason !== "lost") return held;
    this.#isLost = true;
    throw new Refusal("shutting_down", "The batch is not run any more.");
  }

  settle(ending: Ending): ReturnType<Money["settle"]> {
    this.#ending = ending;
    return Promise.resolve({ outcome: "written" });
  }

  release(ending: Omit<Ending, "cost">): ReturnType<Money["release"]> {
    return this.settle({ ...ending, cost: 0 });
  }

  checkpoint(): Promise<void> {
    return Promise.resolve();
  }
}
