import { setImmediate } from "node:timers";

/**
 * Creates a function that waits until the event loop has read every socket that is ready. What arrived meanwhile then
 * goes on together, one stage after another, so that the processor still has the code of a stage at hand for the next
 * request. Each kind of arrival needs a function of its own: in one crowd, two kinds displace each other's code.
 */
export function createTurn(): () => Promise<void> {
  let turn: Promise<void> | undefined;
  return () => {
    if (turn) return turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    turn = promise;
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
    return promise;
  };
}
