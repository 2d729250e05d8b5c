import type { Machine } from "../../codec/machine.ts";
import type { Event } from "../../ir/index.ts";

interface Waiting {
  index: number;
  /** The events of the part before its turn came. */
  events: Event[];
  closed: boolean;
}

/**
 * The parts of each choice one after another, in the order of their opening: events of a part wait until the
 * parts before it are closed. Other events pass.
 */
export function inOrder(): Machine<Event, Event> {
  const queues = new Map<number, Waiting[]>();
  const queueOf = new Map<number, Waiting[]>();

  /** Emits the events of the next parts, up to one that is still open. */
  const advance = (queue: Waiting[]): Event[] => {
    const out: Event[] = [];
    while (queue[0]?.closed) {
      queue.shift();
      const next = queue[0];
      if (!next) break;
      for (const event of next.events) out.push(event);
      next.events = [];
    }
    return out;
  };

  return {
    step(event) {
      if (event.type === "open") {
        const { index, choice = 0 } = event;
        const queue = queues.get(choice) ?? [];
        queues.set(choice, queue);
        queueOf.set(index, queue);
        queue.push({ index, events: queue.length > 0 ? [event] : [], closed: false });
        return queue.length === 1 ? [event] : [];
      }
      if (!("index" in event)) return [event];
      const queue = queueOf.get(event.index);
      const part = queue?.find(({ index }) => index === event.index);
      if (!queue || !part) return [];
      const speaks = queue[0] === part;
      if (!speaks) part.events.push(event);
      if (event.type === "close") part.closed = true;
      return speaks ? [event, ...advance(queue)] : [];
    },
    end: () => [...queues.values()].flatMap((queue) => queue.flatMap(({ events }) => events)),
  };
}
