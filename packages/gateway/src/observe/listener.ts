import type { Listener, ListenerEvent } from "../ports/events.ts";

/** The most events that are kept for a slow reader. */
const ROOM = 500;

/** A listener. `send` delivers an event; `closed` runs once, whichever side ends it. */
export function createListener(closed: () => void): Listener & { send(event: ListenerEvent): void } {
  let kept: ListenerEvent[] = [];
  let left = 0;
  let isOver = false;
  let wake: (() => void) | undefined;
  return {
    send(event) {
      if (kept.length >= ROOM) {
        kept.shift();
        left += 1;
      }
      kept.push(event);
      wake?.();
    },
    take() {
      const gap: ListenerEvent[] = left > 0 ? [{ event: "gap", data: { left } }] : [];
      const taken = [...gap, ...kept];
      kept = [];
      left = 0;
      return taken;
    },
    async wait(ms) {
      if (kept.length > 0 || isOver) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = undefined;
    },
    get isOver() {
      return isOver;
    },
    close() {
      if (isOver) return;
      isOver = true;
      closed();
      wake?.();
    },
  };
}
