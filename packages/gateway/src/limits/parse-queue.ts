import { setImmediate, setTimeout } from "node:timers/promises";
import { Slots } from "@manifold-gateway/providers/routing";
import type { ParseQueue } from "../ports/bounds.ts";

export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Resolves after the callbacks that a piece of work has scheduled for this turn of the event loop. */
  turn(): Promise<unknown>;
  rest(ms: number): Promise<unknown>;
}

/** The longest rest in ms: a pause of the machine during the work must not be doubled. */
const LONGEST = 250;

const clock: Clock = {
  now: () => performance.now(),
  turn: () => setImmediate(),
  rest: (ms) => setTimeout(Math.min(ms, LONGEST), undefined, { ref: false }),
};

/**
 * Runs one piece of heavy work at a time, by turns of the owners, and rests after each for as long as it took.
 * However many pieces wait, half of the time is left to other requests.
 */
export function createParseQueue({ now, turn, rest } = clock): ParseQueue {
  const slots = new Slots({ total: 1 });
  return (owner, work, signal) =>
    new Promise((resolve, reject) => {
      const run = async (): Promise<void> => {
        const began = now();
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
        await turn();
        await rest(now() - began);
      };
      slots.run(owner, run, signal).catch(reject);
    });
}
