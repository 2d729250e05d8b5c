import type { Machine } from "../codec/machine.ts";
import { isKeepAlive } from "../stream/keep-alive.ts";
import { COMMENT } from "../stream/write-frame.ts";
import { dataOnly } from "./data-only.ts";
import { dataOf } from "./event-data.ts";
import { EventSplitter } from "./event-splitter.ts";

/**
 * The text of an event for clients that parse all data as JSON: a keep-alive becomes a comment, and what steers a
 * client without saying anything, such as `retry:` alone, is left out.
 */
function shown(event: string): string {
  const data = dataOf(event);
  if (data === undefined) return dataOnly(event);
  return isKeepAlive(data) ? COMMENT : event;
}

/**
 * Bytes of a stream, to the text of its whole events: unchanged, but for keep-alives. The text is latin1, one character
 * for each byte.
 */
export function jsonEvents(): Machine<Uint8Array, string> {
  const events = new EventSplitter();
  const take = (): string[] => {
    let text = "";
    for (let event = events.next(); event !== undefined; event = events.next()) text += shown(event);
    return text === "" ? [] : [text];
  };
  return {
    step(bytes) {
      events.add(bytes);
      return take();
    },
    end() {
      events.end();
      return take();
    },
  };
}
