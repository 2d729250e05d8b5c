import {
  isObject,
  type Json,
  type JsonObject,
  toArray,
  toObject,
  toText,
} from "@manifold-gateway/core/codec";

/** The memory of a connection: its last response, which the next may continue. */
export interface History {
  id: string;
  /** The requests and answers up to here. */
  items: Json[];
}

/** The items of a response's `input`. */
export const itemsOf = (input: Json | undefined): Json[] =>
  typeof input === "string" ? [{ type: "message", role: "user", content: input }] : toArray(input);

/** Follows the events of one response that continues `items`; `done` is its history, once it is whole. */
export function follow(items: readonly Json[]): {
  heard(event: JsonObject): void;
  done(): History | undefined;
} {
  let id = "";
  const said: Json[] = [];
  let whole = false;
  return {
    heard(event) {
      const { type } = event;
      if (type === "response.created") id = toText(toObject(event.response).id);
      if (type === "response.output_item.done" && isObject(event.item) && isTold(event.item))
        said.push(event.item);
      if (type !== "response.completed" && type !== "response.incomplete") return;
      id = toText(toObject(event.response).id) || id;
      whole = id !== "";
    },
    done: () => (whole ? { id, items: [...items, ...said] } : undefined),
  };
}

/**
 * Checks whether an item says something to its reader: a provider that was not to store the response knows reasoning
 * only by what is in it.
 */
const isTold = ({ type, encrypted_content, summary, content }: JsonObject): boolean =>
  type !== "reasoning" || Boolean(encrypted_content) || toArray(summary).length + toArray(content).length > 0;
