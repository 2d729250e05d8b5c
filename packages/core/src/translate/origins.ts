import type { Trace } from "../codec/caller-codec.ts";
import type { ParamTable } from "../codec/params.ts";
import type { Message, ParamName, Part, TextRequest } from "../ir/index.ts";

/** The places of a decoded request's nodes on the caller's wire. They are kept apart, so that the IR stays free of them. */
export interface Origins {
  /** Records the place of a node. */
  trace: Trace;
  /** The caller's pointer to a node. */
  get(node: object): string | undefined;
  /** The caller's pointer for a path of the canonical request: that of the nearest node whose place is known. */
  locate(request: object, path: string): string;
}

/** Origins of one decoded request. `params` is the caller's table, which knows its spelling of a parameter. */
export function traceOrigins(params: ParamTable = []): Origins {
  const pointers = new WeakMap<object, string>();
  return {
    trace: (node, pointer) => void pointers.set(node, pointer),
    get: (node) => pointers.get(node),
    locate(request, path) {
      const [, area, name] = path.split("/");
      if (area === "params") {
        const row = params.find((candidate) => candidate.name === (name as ParamName));
        return row ? `/${row.wire.replaceAll(".", "/")}` : path;
      }
      // The members that the IR keeps in `extra` stood directly on the node.
      const { place, below } = nearest(request, path, (node) => pointers.get(node));
      return (place ?? "") + below.replace(/(^|\/)extra\//, "$1");
    },
  };
}

/** Records that a node of a rewritten request is a copy of another one, or stands in its place. */
export type TraceCopy = (node: object, original: object) => void;
/** Records nothing. */
export const ignoreCopies: TraceCopy = () => {};

/** A message with other parts, as a copy of it; the message itself if they are its own. */
export function withParts(message: Message, parts: readonly Part[], traceCopy: TraceCopy): Message {
  if (parts.length === message.parts.length && parts.every((part, i) => part === message.parts[i]))
    return message;
  const copy = { ...message, parts } as Message;
  traceCopy(copy, message);
  return copy;
}

/** Traces the nodes of a request through its rewriting, so that later findings name their places in the original. */
export function traceCopies(request: TextRequest): {
  traceCopy: TraceCopy;
  /** Converts a path in the rewritten request to one in the original request. */
  originalPath(rewritten: TextRequest, path: string): string;
} {
  const originals = new Map<object, object>();
  let places: Map<object, string> | undefined;
  return {
    traceCopy: (node, original) => void originals.set(node, originals.get(original) ?? original),
    originalPath(rewritten, path) {
      places ??= placesOf(request);
      const known = places;
      const { place, below } = nearest(rewritten, path, (node) => known.get(originals.get(node) ?? node));
      return place === undefined ? path : place + below;
    },
  };
}

function placesOf(request: TextRequest): Map<object, string> {
  const places = new Map<object, string>();
  const visit = (nodes: readonly object[], under: string): void => {
    for (const [i, node] of nodes.entries()) {
      places.set(node, `${under}/${i}`);
      if ("parts" in node) visit(node.parts as object[], `${under}/${i}/parts`);
    }
  };
  visit(request.messages, "/messages");
  return places;
}

/** The deepest node on the way to `path` whose place is known, and the rest of the way. */
function nearest(
  root: object,
  path: string,
  placeOf: (node: object) => string | undefined,
): { place?: string; below: string } {
  const keys = path.split("/").slice(1);
  let found: { place?: string; below: string } = { below: path };
  let node: unknown = root;
  for (const [depth, key] of keys.entries()) {
    node = (node as Record<string, unknown>)[key];
    if (typeof node !== "object" || node === null) break;
    const place = placeOf(node);
    if (place !== undefined)
      found = {
        place,
        below: keys
          .slice(depth + 1)
          .map((rest) => `/${rest}`)
          .join(""),
      };
  }
  return found;
}
