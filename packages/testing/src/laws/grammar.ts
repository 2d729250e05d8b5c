import type { Event } from "@manifold-gateway/core/ir";

/**
 * What is wrong with the order of a reply's events: parts are numbered in the order of opening, grow only while they
 * are open and close once; a choice finishes once, when its parts are closed; nothing
 * follows a failure.
 */
export function grammarFaults(events: readonly Event[]): string[] {
  const open = new Map<number, number>();
  const finished = new Set<number>();
  const faults: string[] = [];
  let parts = 0;
  let failed = false;
  const check = (holds: boolean, at: number, fault: string): void => {
    if (!holds) faults.push(`event ${at}: ${fault}`);
  };
  events.forEach((event, at) => {
    check(!failed, at, "nothing follows a failure");
    switch (event.type) {
      case "open":
        check(event.index === parts++, at, "parts are numbered in the order of opening");
        check(!finished.has(event.choice ?? 0), at, "nothing opens in a choice that has finished");
        open.set(event.index, event.choice ?? 0);
        break;
      case "delta":
        check(event.text !== "", at, "an empty delta says nothing");
        check(open.has(event.index), at, "only an open part grows");
        break;
      case "cite":
      case "logprobs":
        check(open.has(event.index), at, "only an open part is annotated");
        break;
      case "close":
        check(open.delete(event.index), at, "only an open part closes");
        break;
      case "finish":
        check(!finished.has(event.choice ?? 0), at, "a choice finishes once");
        check(
          ![...open.values()].includes(event.choice ?? 0),
          at,
          "a choice finishes when its parts are closed",
        );
        finished.add(event.choice ?? 0);
        break;
      case "failure":
        failed = true;
        break;
    }
  });
  check(failed || open.size === 0, events.length, "every part is closed");
  return faults;
}
