/** Virtual time: what is due runs in the order of its moment, and at one moment in the order in which it was planned. */
export interface Clock {
  now(): number;
  after(ms: number, run: () => void): void;
  runUntil(end: number): void;
}

interface Due {
  at: number;
  order: number;
  run: () => void;
}

const isBefore = (a: Due, b: Due): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** A binary heap: there are hundreds of thousands of things to come at any time. */
export function createClock(): Clock {
  const heap: Due[] = [];
  let now = 0;
  let order = 0;

  const push = (due: Due): void => {
    let i = heap.push(due) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!isBefore(due, heap[parent]!)) break;
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = due;
  };

  const pop = (): void => {
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = last;
  };

  return {
    now: () => now,
    after: (ms, run) => push({ at: now + ms, order: order++, run }),
    runUntil(end) {
      for (let first = heap[0]; first && first.at <= end; first = heap[0]) {
        pop();
        now = first.at;
        first.run();
      }
      now = end;
    },
  };
}
