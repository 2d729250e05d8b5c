import type { Machine } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";

/** The least length of a secret: a shorter text may be a part of any word. */
const LEAST = 8;

/** Takes a provider's credential out of what the provider said: some repeat it where they refuse it. */
export type Hide = (text: string) => string;

/** Hides credentials in the spellings that programs make of a text. */
export function hideSecrets(secrets: readonly string[]): Hide {
  let spellings: string[] | undefined;
  return (text) => {
    // Errors are rare, and requests many.
    spellings ??= secrets.filter((secret) => secret.length >= LEAST).flatMap(spellingsOf);
    return spellings.reduce((hidden, spelling) => hidden.replaceAll(spelling, "[redacted]"), text);
  };
}

/** Spells a secret as it is, escaped, in hex, and in base64 wherever it begins in what was encoded. */
export function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  const encoded = [0, 1, 2].flatMap((before) => {
    // Digits at both ends depend on what stands beside the secret.
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .slice(first, last);
    return [text, text.replaceAll("+", "-").replaceAll("/", "_")];
  });
  const all = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    hex,
    hex.toUpperCase(),
  ];
  return [...new Set([...all, ...encoded])];
}

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
