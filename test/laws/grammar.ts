import type { Event } from "@manifold-gateway/core/ir";
import { expect } from "vitest";

/**
 * The grammar of a reply's events: parts are numbered in the order of opening, grow only while they are open and
 * close once; a choice finishes once, when its parts are closed; a failure is told once, and nothing after it.
 */
export function expectGrammar(events: readonly Event[]): void {
  const open = new Map<number, number>();
  const finished = new Set<number>();
  let parts = 0;
  let failed = false;
  for (const event of events) {
    expect(failed, "nothing follows a failure").toBe(false);
    switch (event.type) {
      case "open":
        expect(event.index).toBe(parts++);
        expect(finished).not.toContain(event.choice ?? 0);
        open.set(event.index, event.choice ?? 0);
        break;
      case "delta":
        expect(event.text, "an empty delta says nothing").not.toBe("");
        expect([...open.keys()]).toContain(event.index);
        break;
      case "cite":
      case "logprobs":
        expect([...open.keys()]).toContain(event.index);
        break;
      case "close":
        expect([...open.keys()]).toContain(event.index);
        open.delete(event.index);
        break;
      case "finish":
        expect(finished).not.toContain(event.choice ?? 0);
        expect([...open.values()]).not.toContain(event.choice ?? 0);
        finished.add(event.choice ?? 0);
        break;
      case "failure":
        failed = true;
        break;
    }
  }
  if (!failed) expect([...open.keys()], "every part is closed").toEqual([]);
}
