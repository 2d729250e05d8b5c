import { setImmediate, setTimeout } from "node:timers/promises";
import type { Heavy } from "./ports/bounds.ts";
import { createTurns } from "./turns.ts";

export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Resolves when what came of some work has run, as far as it runs at once. */
  turn(): Promise<unknown>;
  rest(ms: number): Promise<unknown>;
}

/** A pause on the machine's side must not become one of ours, in ms. */
const LONGEST = 250;

const clock: Clock = {
  now: () => performance.now(),
  turn: () => setImmediate(),
  rest: (ms) => setTimeout(Math.min(ms, LONGEST), undefined, { ref: false }),
};

/**
 * Runs one piece of work after the other, by turns of their owners, with a rest after each that is as long as the
 * piece took: however many pieces wait, half of the time is left to other requests.
 */
export function createHeavy({ now, turn, rest } = clock): Heavy {
  const turns = createTurns({ most: 1, each: 1 });
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
      turns(owner, run, signal).catch(reject);
    });
}
