import { each, type Machine } from "../codec/machine.ts";
import type { Event } from "../ir/event.ts";

/** The shortest secret that is hidden: a shorter text may be part of any word. */
const MIN_LENGTH = 8;

/** Removes credentials from a provider's text: some providers repeat a credential that they refuse. */
export type Hide = (text: string) => string;

/** Hides secrets in all spellings that programs commonly make of a text. */
export function hideSecrets(secrets: readonly string[] | (() => readonly string[])): Hide {
  let spellings: string[] | undefined;
  return (text) => {
    // Computed on first use: errors are rare, and requests many.
    spellings ??= (typeof secrets === "function" ? secrets() : secrets)
      .filter((secret) => secret.length >= MIN_LENGTH)
      .flatMap(spellingsOf);
    return spellings.reduce((hidden, spelling) => hidden.replaceAll(spelling, "[redacted]"), text);
  };
}

/** Lists a secret's spellings: plain, escaped, in hex, and in base64 at any offset of the encoded text. */
export function spellingsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const binary = String.fromCharCode(...bytes);
  const encoded = [0, 1, 2].flatMap((before) => {
    // Digits at both ends also encode neighbouring bytes, so they are cut off.
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const text = btoa("\0".repeat(before) + binary).slice(first, last);
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

/** Hides secrets in a whole value. */
export const hideIn = <T extends object>(value: T, hide: Hide): T =>
  JSON.parse(hide(JSON.stringify(value))) as T;

/** Hides secrets in the failures of a machine, by default one that changes nothing. Generated content is not touched. */
export function hidingFailures(
  hide: Hide,
  machine: Machine<Event, Event> = unchanged(),
): Machine<Event, Event> {
  const hidden = (event: Event): Event =>
    event.type === "failure" ? { ...event, failure: hideIn(event.failure, hide) } : event;
  // Failures are rare, and events many: usually no copy is made.
  const shown = (events: Event[]): Event[] =>
    events.some(({ type }) => type === "failure") ? events.map(hidden) : events;
  return {
    step: (event) => shown(machine.step(event)),
    end: () => shown(machine.end()),
  };
}

const unchanged = (): Machine<Event, Event> => each((event: Event) => [event]);
