import { isObject, type JsonObject, toArray, toObject, toText } from "@manifold-gateway/core/codec";
import type { Caller } from "../ports/access.ts";
import type { BodyMemory } from "../ports/bounds.ts";

/** The last response of a connection, which the next may continue. */
export interface History {
  id: string;
  /** The items of the requests and answers up to here, as JSON text: parsed, they would take many times the memory. */
  items: readonly Uint8Array[];
}

/** Keeps the history of one connection, if the memory for bodies of requests has room for it. */
export interface HistoryMemory {
  readonly last: History | undefined;
  keep(history: History | undefined): void;
}

/** A history of more than `most` bytes is not kept: no request could continue it. */
export function createHistoryMemory(bodyMemory: BodyMemory, caller: Caller, most: number): HistoryMemory {
  let last: History | undefined;
  let release: (() => void) | undefined;
  return {
    get last() {
      return last;
    },
    keep(history) {
      release?.();
      const bytes = history?.items.reduce((sum, { byteLength }) => sum + byteLength, 0) ?? 0;
      release = history && bytes <= most ? bodyMemory.keep(caller, bytes) : undefined;
      last = release && history;
    },
  };
}

/**
 * Follows the events of one response. `done` returns its id and its items for the history; undefined if the response is
 * incomplete or its items take more than `most` bytes.
 */
export function follow(most: number): {
  onEvent(event: JsonObject): void;
  done(): { id: string; items: Uint8Array[] } | undefined;
} {
  let id = "";
  const items: Uint8Array[] = [];
  let bytes = 0;
  let isWhole = false;
  const add = (item: JsonObject): void => {
    const text = Buffer.from(JSON.stringify(item));
    bytes += text.length;
    if (bytes <= most) items.push(text);
    else items.length = 0;
  };
  return {
    onEvent(event) {
      const { type } = event;
      if (type === "response.created") id = toText(toObject(event.response).id);
      if (type === "response.output_item.done" && isObject(event.item) && hasContent(event.item))
        add(event.item);
      if (type !== "response.completed" && type !== "response.incomplete") return;
      id = toText(toObject(event.response).id) || id;
      isWhole = id !== "";
    },
    done: () => (isWhole && bytes <= most ? { id, items } : undefined),
  };
}

/**
 * Checks whether an item has content. Empty reasoning is useless in a later request: a provider that did not store the
 * response cannot look it up.
 */
const hasContent = ({ type, encrypted_content, summary, content }: JsonObject): boolean =>
  type !== "reasoning" || Boolean(encrypted_content) || toArray(summary).length + toArray(content).length > 0;
