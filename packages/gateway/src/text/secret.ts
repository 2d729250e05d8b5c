import type { Event, Machine } from "@manifold/core";

/** What is shorter is no secret, and may be a part of any word. */
const LEAST = 8;

/** Takes a provider's credential out of what the provider said: some repeat it where they refuse it. */
export type Hide = (text: string) => string;

/** Hides one credential, where there is one. */
export const hideSecret = (secret: string | undefined): Hide =>
  secret === undefined || secret.length < LEAST
    ? (text) => text
    : (text) => text.replaceAll(secret, "[redacted]");

/** The same of a whole value. */
export const hideIn = <T extends object>(value: T, hide: Hide): T =>
  JSON.parse(hide(JSON.stringify(value))) as T;

/** The events of a machine, with nothing in a failure that has to be hidden: what was generated is not touched. */
export function hidingFailures(machine: Machine<Event, Event>, hide: Hide): Machine<Event, Event> {
  const hidden = (event: Event): Event =>
    event.type === "failure" ? { ...event, failure: hideIn(event.failure, hide) } : event;
  // Failures are rare, and events many.
  const shown = (events: Event[]): Event[] =>
    events.some(({ type }) => type === "failure") ? events.map(hidden) : events;
  return {
    step: (event) => shown(machine.step(event)),
    end: () => shown(machine.end()),
  };
}
