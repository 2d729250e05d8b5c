import type { BatchRef, LineEnd, Money, Reservation, Reserved } from "@manifold-gateway/store";
import { Refusal } from "../http/refusal.ts";
import type { BatchDeps } from "./deps.ts";
import { requestIdOf } from "./forms/form.ts";

type Ending = LineEnd["ending"];

/**
 * The billing of one line, in place of the store's. The hold is written in one commit with the line. The end is kept
 * until the answer is complete and then written in one commit with it, so that nothing is charged that was not stored.
 */
export class LineMoney implements Pick<Money, "reserve" | "settle" | "release" | "checkpoint"> {
  readonly #deps: Pick<BatchDeps, "store">;
  readonly #ref: BatchRef;
  readonly #number: number;
  /** The generation for the line's answer, and its end once that is known. */
  #generation: string | undefined;
  /** The id of the upstream batch with which the line is sent. */
  #upstream: string | undefined;
  /** True for a line whose hold was made when it was sent with an upstream batch, and whose answer has arrived. */
  #isAnswered: boolean;
  #ending: Ending | undefined;
  #isLost = false;
  #isHeld: boolean;

  /** `generation` is present if the line has a hold already. */
  constructor(deps: Pick<BatchDeps, "store">, ref: BatchRef, number: number, generation?: string) {
    this.#deps = deps;
    this.#ref = ref;
    this.#number = number;
    this.#generation = generation;
    this.#isHeld = generation !== undefined;
    this.#isAnswered = this.#isHeld;
  }

  /** Records in the hold that the line is sent with an upstream batch. */
  sendWith(upstream: string): void {
    this.#upstream = upstream;
  }

  /** The line must not be run: the lease is lost, or the line has ended. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** The line has a hold: from now on it can only end together with its generation. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** The generation of the last hold, successful or not, with its end. */
  get generation(): { id: string; ending: Ending | undefined } | undefined {
    return this.#generation === undefined ? undefined : { id: this.#generation, ending: this.#ending };
  }

  async reserve(reservation: Reservation): Promise<Reserved> {
    if (this.#isAnswered) return { ok: true };
    const { store } = this.#deps;
    const instead = this.#generation;
    // A fallback replaces a failed generation, whose end is not the end of the line.
    if (instead !== undefined)
      await store.money.settle({ id: instead, ...(this.#ending ?? { status: "failed", cost: 0 }) });
    this.#ending = undefined;
    this.#generation = reservation.generation.id;
    const line = {
      number: this.#number,
      ...(instead !== undefined && { instead }),
      ...(this.#upstream !== undefined && { upstream: this.#upstream }),
    };
    // The id of the request is recorded now, because recovery after a crash knows no route.
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
