import { MalformedReply } from "../stream/malformed-reply.ts";
import { hideTraces } from "./credential-traces.ts";
import { hideSecrets } from "./hide-secrets.ts";

/** The most characters of a text in place of a reply that are kept, and of its words that a caller gets. */
export const MOST_KEPT = 2_000;
const MOST_SHOWN = 300;
/** The most that is read: a credential across the end of what is kept is whole in it. */
const MOST_READ = 16_384;

/** Lines that steer a reader of events, or keep a connection open. */
const STEERING = /^(?:event|id|retry)?:.*$/gm;
const DATA = /^data:/gm;
const TITLE = /<title[^<>]{0,100}>([^<]{1,1000})</i;
const CONTROL = /[\p{Cc}\ufffd]/u;

/**
 * The fault of a provider that sent a text or a web page in place of a reply, such as the words of a proxy: its message
 * quotes them. Damaged JSON is not quoted, because it may be a piece of a reply.
 */
export function noReply(received: string, secrets: (() => readonly string[]) | undefined): MalformedReply {
  const list = secrets?.() ?? [];
  const text = hideTraces(list)(hideSecrets(list)(received.slice(0, MOST_READ))).slice(0, MOST_KEPT);
  const plain = text.replace(STEERING, "").replace(DATA, "").trim();
  const isPage = plain.startsWith("<");
  const quoted = isPage ? (TITLE.exec(plain)?.[1] ?? "") : plain;
  const words = quoted.trim().replace(/\s+/g, " ").slice(0, MOST_SHOWN);
  if (/^[[{]/.test(words) || CONTROL.test(words) || (words === "" && !isPage)) return new MalformedReply();
  const sent = `The provider sent ${isPage ? "a web page" : "text"} in place of a reply`;
  return new MalformedReply(words === "" ? `${sent}.` : `${sent}: ${words}`, text);
}
